"""Hosts that templates, starters and manuals contain, and that people forget to change.

Each was found in public configuration files, among others in the file that is named beside it.
Names of companies, such as mysite.com and mydomain.com, are omitted, and so is every name that a
person could have.
"""

_DOMAINS = {
    # facebook/docusaurus: packages/create-docusaurus/templates/classic/docusaurus.config.js,
    # earlier and today
    "your-docusaurus-test-site.com": "Docusaurus' template",
    "your-docusaurus-site.example.com": "Docusaurus' template",
    # gohugoio/hugo: commands/new.go, earlier; today's value is https://example.org/
    "replace-this-with-your-hugo-site.com": "Hugo's template",
    # jekyll/jekyll: lib/site_template/_config.yml, earlier
    "yourdomain.com": "Jekyll's template and many manuals",
    # hexojs/hexo-starter: _config.yml, earlier; today's value is http://example.com
    "yoursite.com": "Hexo's template and many manuals",
    # gatsbyjs/gatsby: the gatsby-config.js that `npm init gatsby` writes
    "yourdomain.tld": "Gatsby's template",
    # squidfunk/mkdocs-material: docs/creating-your-site.md
    "mydomain.org": "the manual of Material for MkDocs",
    # https://decapcms.org/docs/configuration-options: `site_url`
    "your-site.com": "many manuals",
    # `site` in astro.config.mjs, and `html_baseurl` in conf.py, of many templates
    "your-domain.com": "many manuals",
    # mmistakes/minimal-mistakes: _config.yml; `openGraph.url` in templates for Next.js
    "your-website.com": "many manuals",
    # `website` in the configuration of templates for Astro
    "yourwebsite.com": "many manuals",
    # `baseURL` in the manuals of themes for Hugo, and `url` in those for Gatsby
    "my-site.com": "many manuals",
    # `site` in astro.config.mjs of many templates
    "your-site.netlify.app": "many manuals",
    "your-project.vercel.app": "many manuals",
    # decaporg/decap-cms: `site_url` in manuals
    "your-domain.pages.dev": "many manuals",
}
"""Domains, which count with all their subdomains, and where they come from."""

_USERS = frozenset(
    {
        # hexojs/hexo-starter, cotes2020/chirpy-starter: _config.yml
        "username",
        # barryclark/jekyll-now: _config.yml
        "yourusername",
        # `url` in docusaurus.config.js, `site_url` in mkdocs.yml, `html_baseurl` in conf.py, of
        # many projects
        *("user-name", "your-username", "your_username", "myusername", "yourname", "your_name"),
        *("your-github-username", "your_github_username", "yourgithubusername"),
        *("your-org", "yourorg", "your-organization"),
    }
)
_USER_DOMAINS = frozenset({"github.io", "gitlab.io"})

_DEMOS = {
    # timlrx/tailwind-nextjs-starter-blog: data/siteMetadata.js
    "tailwind-nextjs-starter-blog.vercel.app": "Tailwind Nextjs Starter Blog",
    # gatsbyjs/gatsby-starter-blog: gatsby-config.js
    "gatsbystarterblogsource.gatsbyjs.io": "Gatsby's blog starter",
    # satnaing/astro-paper: src/config.ts
    "astro-paper.pages.dev": "AstroPaper",
    # onwidget/astrowind: src/config.yaml
    "astrowind.vercel.app": "AstroWind",
    # academicpages/academicpages.github.io: _config.yml
    "academicpages.github.io": "Academic Pages",
    # jackyzha0/quartz: quartz.config.ts
    "quartz.jzhao.xyz": "Quartz",
}
"""The demos of templates. Each template contains the address of its own demo."""


def template_of(host: str) -> str:
    """Return from which template a host in lower case comes, as text that follows the host, or an
    empty string.
    """
    host = host.rstrip(".").removeprefix("www.")
    if host in _DEMOS:
        return f"is the address of the demo of {_DEMOS[host]}"
    user, _, rest = host.partition(".")
    if rest in _USER_DOMAINS and user in _USERS:
        return f"is a placeholder for an address at {rest}"
    while host:
        if host in _DOMAINS:
            return f"is a placeholder from {_DOMAINS[host]}"
        host = host.partition(".")[2]
    return ""
