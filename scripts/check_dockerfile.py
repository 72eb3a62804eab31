"""Read Dockerfile and compose.yaml as a careful reviewer would; say what is wrong with them.

Where a container engine runs, `make image` builds the image; here it is only read.
"""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Iterator
from pathlib import Path

import yaml

ROOT = Path(__file__).resolve().parents[1]
BUILDERS = re.compile(r"\b(gcc|g\+\+|clang|make|build-essential|apt(-get)?|apk|pip|curl|wget)\b")
SECRETS = re.compile(r"PASSWORD|SECRET|TOKEN|REDIS_URL", re.IGNORECASE)


def instructions(text: str) -> list[tuple[str, str]]:
    """Return instructions and arguments, continued lines joined and comments left out."""
    lines = (line for line in text.splitlines() if not line.lstrip().startswith("#"))
    joined = re.sub(r"\\\n\s*", " ", "\n".join(lines))
    pairs = (line.split(None, 1) for line in joined.splitlines() if line.strip())
    return [(pair[0].upper(), pair[1]) for pair in pairs]


def image_flaws(text: str) -> Iterator[str]:
    """Yield what is wrong with the Dockerfile."""
    steps = instructions(text)
    bases = [argument for name, argument in steps if name == "FROM"]
    last = max(index for index, step in enumerate(steps) if step[0] == "FROM")
    final = dict(steps[last:])
    if len(bases) < 2:
        yield "one stage: the compiler would be shipped"
    yield from (f"base without a version: {b}" for b in bases if not re.search(r":\S*\d", b))
    if not re.fullmatch(r"[1-9]\d+(:[1-9]\d+)?", final.get("USER", "")):
        yield "USER must be a number that is not root's"
    yield from (f"no {name}" for name in ("HEALTHCHECK", "ENTRYPOINT", "CMD") if name not in final)
    for name, argument in steps[last:]:
        if name == "RUN" and BUILDERS.search(argument):
            yield f"what runs is built with what it does not need: {argument}"
    for name, argument in steps:
        if name in ("ENV", "ARG") and SECRETS.search(argument):
            yield f"a secret would stay in the image: {argument}"
        if name == "COPY" and argument.split()[0] in (".", "./"):
            yield "COPY takes the whole folder, data and history included"
        if name == "ADD":
            yield "ADD fetches and unpacks; COPY does not"
        if name in ("CMD", "ENTRYPOINT") and not isinstance(json.loads(argument), list):
            yield f"{name} would run under a shell, which swallows SIGTERM"
        if name == "COPY" and "--from=" not in argument:
            sources = argument.split()[:-1]
            yield from (f"nothing to COPY: {s}" for s in sources if not (ROOT / s).exists())
        commands = argument.split("&&") if name == "RUN" else []
        if any(" -r " in one and "--require-hashes" not in one for one in commands):
            yield "pip installs what no hash vouches for"


def compose_flaws(text: str) -> Iterator[str]:
    """Yield what is wrong with compose.yaml."""
    services = yaml.safe_load(text)["services"]
    yield from (f"no service {name}" for name in ("web", "worker", "redis") if name not in services)
    for name, service in services.items():
        if not service.get("read_only"):
            yield f"{name} may write to its root file system"
        if service.get("cap_drop") != ["ALL"]:
            yield f"{name} keeps capabilities it does not need"
        if service.get("privileged"):
            yield f"{name} is privileged"
        if "no-new-privileges:true" not in service.get("security_opt", ()):
            yield f"{name} may gain privileges"
        if str(service.get("user", "")).split(":")[0] in ("0", "root"):
            yield f"{name} runs as root"
        for volume in service.get("volumes", ()):
            source = volume.split(":")[0]
            if source.endswith("docker.sock"):
                yield f"{name} governs the engine it runs in"
            if source.startswith(".") and not (ROOT / source).exists():
                yield f"{name} mounts {source}, which is not there"


def main() -> None:
    """Print the flaws, or that there are none."""
    flaws = [f"Dockerfile: {flaw}" for flaw in image_flaws((ROOT / "Dockerfile").read_text())]
    flaws += [
        f"compose.yaml: {flaw}" for flaw in compose_flaws((ROOT / "compose.yaml").read_text())
    ]
    for flaw in flaws:
        print(flaw)
    if flaws:
        sys.exit(1)
    print("Dockerfile and compose.yaml read well (not built: `make image` does that)")


if __name__ == "__main__":
    main()
