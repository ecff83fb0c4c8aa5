"""Detects templates of Jinja whose content comes from elsewhere."""

from jinja2 import Environment, TemplateError, meta, nodes


def shows_data(text: str, environment: Environment) -> bool:
    """Whether a template repeats a part for each item of something that it does not set itself."""
    try:
        tree = environment.parse(text)
    except TemplateError:  # the host reports it
        return False
    given = meta.find_undeclared_variables(tree) - environment.globals.keys()
    loops = [loop.iter for loop in tree.find_all(nodes.For)]
    names = [name for loop in loops for name in (loop, *loop.find_all(nodes.Name))]
    return any(isinstance(name, nodes.Name) and name.name in given for name in names)
