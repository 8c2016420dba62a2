"""Write the address of the project into what a release is built from: `python .github/release_metadata.py URL`.

pyproject.toml gets its [project.urls]. Relative links and pictures of README.md, which PyPI shows, become absolute.
`--version` prints the version instead.
"""

import re
import sys
import tomllib
from pathlib import Path

URLS = {
    "Homepage": "",
    "Documentation": "/tree/main/docs",
    "Changelog": "/blob/main/CHANGELOG.md",
    "Issues": "/issues",
}


def with_urls(project: str, url: str) -> str:
    """Return the text of pyproject.toml with the addresses of the project."""
    if "[project.urls]" in project:
        raise SystemExit("pyproject.toml: already has [project.urls]")
    lines = [f'{name} = "{url}{path}"' for name, path in URLS.items()]
    return project.replace("[project.scripts]", "\n".join(["[project.urls]", *lines, "", "[project.scripts]"]), 1)


def with_absolute_links(readme: str, url: str, version: str) -> str:
    """Return the text of README.md whose links lead to the files of this version."""
    links = re.sub(r"\]\((?!https?:|#)([^)]+)\)", rf"]({url}/blob/v{version}/\1)", readme)
    return re.sub(r'src="(?!https?:)([^"]+)"', rf'src="{url}/raw/v{version}/\1"', links)


def main(root: Path, argument: str) -> None:
    """Change the files below `root`, or print the version."""
    project, readme = root / "pyproject.toml", root / "README.md"
    text = project.read_text(encoding="utf-8")
    version = tomllib.loads(text)["project"]["version"]
    if argument == "--version":
        print(version)
        return
    if not re.fullmatch(r"https://[\w.-]+/[\w.-]+/[\w.-]+", argument):
        raise SystemExit(f"{argument}: must be https://HOST/OWNER/NAME")
    project.write_text(with_urls(text, argument), encoding="utf-8")
    readme.write_text(with_absolute_links(readme.read_text(encoding="utf-8"), argument, version), encoding="utf-8")


if __name__ == "__main__":
    main(Path.cwd(), sys.argv[1])
