"""Detects templates of Jinja whose content comes from elsewhere."""

from jinja2 import Environment, TemplateError, meta, nodes


def shows_data(text: str, environment: Environment) -> bool:
    """Whether a template repeats a part for each item of something that it does not set itself."""
    try:
        tree = environment.parse(text)
    except TemplateError:  # the host reports it
        return False
    given = meta.find_undeclared_variables(tree) - environment.globals.keys()
    for loop in tree.find_all(nodes.For):
        if isinstance(loop.iter, nodes.Name) and loop.iter.name in given:
            return True
        if any(name.name in given for name in loop.iter.find_all(nodes.Name)):
            return True
    return False
