"""The shape of the program: who may import whom, where names may stand, how long a file is.

Modules are found by their paths, so that a new one is checked by the rule of its place.
"""

from __future__ import annotations

import ast
import re
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache, cached_property
from pathlib import Path

import pytest

from sjavs_env.rules import PRESETS

ROOT = Path(__file__).parent.parent
PACKAGES = ("sjavs_env", "agents/sjavs_agents")
SCRIPTS = ("train.py", "evaluate.py")
MAX_FILE, MAX_FUNCTION = 400, 60

# A module may import what stands above it.  The first pattern that fits its path is its place.
LAYERS = [
    ("cards", r"sjavs_env/(cards|errors|randomness)\.py"),
    ("pages", r"sjavs_env/cli/rule\w*\.py"),
    ("cli", r"sjavs_env/cli/.*"),
    ("rules", r"sjavs_env/rules/([a-z]\w*\.py|tables/.*)"),
    ("games", r"sjavs_env/rules/(__init__\.py|games/.*)"),
    ("pages", r"sjavs_env/rules/pages/.*"),
    ("state", r"sjavs_env/engine/(state|actions)\.py"),
    ("course", r"sjavs_env/engine/(course|melds)\.py"),
    ("game", r"sjavs_env/engine/(game|single|__init__)\.py"),
    ("phases", r"sjavs_env/engine/.*"),
    ("views", r"sjavs_env/observation/(views|__init__)\.py"),
    ("bits", r"sjavs_env/observation/bits\.py"),
    ("layout", r"sjavs_env/observation/layout\.py"),
    ("encode", r"sjavs_env/observation/encode(_single)?\.py"),
    ("public", r"sjavs_env/(__init__|__main__)\.py"),
    ("envs", r"sjavs_env/.*"),  # environments, records, pictures and whatever else comes
    (
        "uses",
        r"agents/sjavs_agents/((training|analyze|puzzles|exact|reporting|luck|credit|swings|champion)/.*"
        r"|arena/tournament/.*|exploit/.*"
        r"|(arena|belief)/command\.py)",
    ),
    (
        "compiled",
        r"agents/sjavs_agents/((starting|__init__)\.py|(base|compiled|stats)/.*)",
    ),
    ("heuristic", r"agents/sjavs_agents/heuristic/.*"),
    ("solver", r"agents/sjavs_agents/solver/.*"),
    ("neural", r"agents/sjavs_agents/neural/.*"),
    ("arena", r"agents/sjavs_agents/arena/.*"),
    (
        "worlds",
        r"agents/sjavs_agents/(worlds/.*|belief/(config|learned_belief|reading|__init__)\.py)",
    ),
    ("search", r"agents/sjavs_agents/search/.*"),
    ("registry", r"agents/sjavs_agents/(registry|own_code)\.py"),
    ("uses", r"agents/sjavs_agents/belief/.*"),
    ("agents", r"agents/.*"),
    ("scripts", r"[^/]*\.py"),
]
ORDER = [
    "cards",
    "cli",
    "rules",
    "games",
    "pages",
    "state",
    "course",
    "phases",
    "game",
    "views",
    "bits",
    "layout",
    "encode",
    "envs",
    "public",
    "compiled",
    "heuristic",
    "solver",
    "neural",
    "arena",
    "worlds",
    "search",
    "registry",
    "uses",
    "agents",
    "scripts",
]
CLOSED = {"state", "phases", "views", "encode"}  # modules of one layer that do not know each other
BESIDE = {  # what they may still take from each other
    ("sjavs_env.engine.phases.declare", "sjavs_env.engine.phases.auction"): {"suit_lengths"},
    ("sjavs_env.observation.encode_single", "sjavs_env.observation.encode"): {"Encoder"},
}
DOORS = {  # modules of a folder that others may import
    "sjavs_agents.worlds": {"sampler", "world_source", "by_belief", "by_policy", "posterior"},
}
ROLES = {  # names that say the same in every folder: what it has to do with the world outside
    "__init__",
    "__main__",
    "command",  # reads the arguments of a command and says how it went
    "config",  # settings, as they are written in files
    "registry",  # makes things by the names that users give
    "session",  # does what the command of the folder is there for, from settings to results
}
CONSTANT = re.compile(r"[A-Z][A-Z0-9_]*")  # a name such as CLUBS may come along

NO_PRESETS = (
    r"sjavs_env/(engine/.*|observation/.*"
    r"|rules/(terms|packets|ruleset)\.py|rules/(tables/.*|pages/d\w*\.py))"
)
THIRD_PARTY = {
    r"sjavs_env/((cards|errors|randomness)\.py|(rules|engine|observation|cli)/.*)": {"numpy"},
    r"sjavs_env/.*": {"numpy", "gymnasium", "pettingzoo"},
}
WITH_TORCH = r"agents/sjavs_agents/((neural|training)/.*|belief/learned_belief\.py)"
FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)


@dataclass(frozen=True)
class Import:
    """One import of a module of this program or of a package outside it."""

    target: str
    names: frozenset[str]
    for_types: bool  # under ``if TYPE_CHECKING``


@dataclass(frozen=True)
class Module:
    """A source file, by its path from the root of the project."""

    path: str
    text: str

    @cached_property
    def tree(self) -> ast.Module:
        return ast.parse(self.text)

    @cached_property
    def name(self) -> str:
        path = self.path.removeprefix("agents/")
        return path.removesuffix(".py").removesuffix("/__init__").replace("/", ".")

    @property
    def layer(self) -> str:
        return next(layer for layer, path in LAYERS if re.fullmatch(path, self.path))

    @property
    def room(self) -> str:
        """The folder of agents, or the module beside these folders, that it stands in."""
        return self.name.split(".")[1]

    @property
    def is_script(self) -> bool:
        return self.path in SCRIPTS or self.path.endswith(("/__main__.py", "/command.py"))

    def imports(self, known: frozenset[str]) -> Iterator[Import]:
        """Every import in the file, wherever it stands."""
        typed = {
            id(inner)
            for node in ast.walk(self.tree)
            if isinstance(node, ast.If) and "TYPE_CHECKING" in ast.unparse(node.test)
            for inner in ast.walk(node)
        }
        for node in ast.walk(self.tree):
            for_types = id(node) in typed
            if isinstance(node, ast.Import):
                for alias in node.names:
                    yield Import(alias.name, frozenset(), for_types)
            elif isinstance(node, ast.ImportFrom):
                base = self._base(node)
                for alias in node.names:
                    inner = f"{base}.{alias.name}"
                    if inner in known:
                        yield Import(inner, frozenset(), for_types)
                    else:
                        yield Import(base, frozenset({alias.name}), for_types)

    def _base(self, node: ast.ImportFrom) -> str:
        """The module that ``from ... import`` names, with leading dots resolved."""
        if not node.level:
            return node.module or ""
        package = self.name.split(".")
        up = node.level - self.path.endswith("/__init__.py")
        return ".".join([*package[: len(package) - up], *filter(None, [node.module])])


@cache
def modules() -> tuple[Module, ...]:
    """All modules of the program."""
    paths = [p for package in PACKAGES for p in sorted((ROOT / package).rglob("*.py"))]
    paths += [ROOT / script for script in SCRIPTS if (ROOT / script).exists()]
    return tuple(Module(p.relative_to(ROOT).as_posix(), p.read_text("utf-8")) for p in paths)


def check_direction(found: tuple[Module, ...]) -> list[str]:
    """Imports of what stands below, or beside in a layer whose modules stand alone."""
    by_name = {m.name: m for m in found}
    wrong = []
    for module in found:
        for wanted in module.imports(frozenset(by_name)):
            target = by_name.get(wanted.target)
            if target is None or target.name == module.name:
                continue
            here, there = ORDER.index(module.layer), ORDER.index(target.layer)
            beside = here == there and module.layer in CLOSED
            allowed = BESIDE.get((module.name, target.name), set())
            plain = {n for n in wanted.names if not CONSTANT.fullmatch(n)}
            if there > here or (beside and not (wanted.names and plain <= allowed and allowed)):
                wrong.append(f"{module.path} ({module.layer}) imports {wanted.target}")
    return sorted(set(wrong))


def check_cycles(found: tuple[Module, ...]) -> list[str]:
    """Modules that are imported, at run time, by what they import."""
    known = frozenset(m.name for m in found)
    needs = {
        m.name: {i.target for i in m.imports(known) if not i.for_types and i.target in known}
        for m in found
    }
    while leaves := {name for name, targets in needs.items() if not targets}:
        needs = {n: t - leaves for n, t in needs.items() if n not in leaves}
    return sorted(needs)


def check_rooms(found: tuple[Module, ...]) -> list[str]:
    """Folders of agents that are imported, at run time, by what they import."""
    known = {m.name: m.room for m in found if m.name.startswith("sjavs_agents.")}
    needs: dict[str, set[str]] = {room: set() for room in known.values()}
    for module in found:
        if module.name in known:
            wanted = {i.target for i in module.imports(frozenset(known)) if not i.for_types}
            needs[module.room] |= {known[t] for t in wanted & set(known)} - {module.room}
    while leaves := {room for room, targets in needs.items() if not targets}:
        needs = {room: t - leaves for room, t in needs.items() if room not in leaves}
    return sorted(needs)


def check_doors(found: tuple[Module, ...]) -> list[str]:
    """Imports from outside a folder of what stands behind its doors."""
    known = frozenset(m.name for m in found)
    wrong = []
    for module in found:
        for wanted in module.imports(known):
            for folder, doors in DOORS.items():
                inside = wanted.target.startswith(f"{folder}.")
                is_door = wanted.target.removeprefix(f"{folder}.") in doors
                if inside and not is_door and not module.name.startswith(f"{folder}."):
                    wrong.append(f"{module.path} imports {wanted.target}")
    return wrong


def check_leaves(found: tuple[Module, ...]) -> list[str]:
    """Modules of one name, roles apart; "deal" and "deals" are one name, too."""
    by_leaf: dict[str, list[str]] = {}
    for module in found:
        leaf = Path(module.path).stem
        if leaf not in ROLES:
            by_leaf.setdefault(leaf.removesuffix("s"), []).append(module.path)
    return [" and ".join(paths) for _, paths in sorted(by_leaf.items()) if len(paths) > 1]


def check_aliases(found: tuple[Module, ...]) -> list[str]:
    """Names that two modules give to a kind of array."""
    homes: dict[str, list[str]] = {}
    for module in found:
        for node in module.tree.body:
            if isinstance(node, ast.Assign) and ast.unparse(node.value).startswith("NDArray["):
                homes.setdefault(ast.unparse(node.targets[0]), []).append(module.path)
    return [f"{name}: {' and '.join(at)}" for name, at in sorted(homes.items()) if len(at) > 1]


def check_third_party(found: tuple[Module, ...]) -> list[str]:
    """Packages that a module may not need."""
    wrong = []
    for module in found:
        allowed = next((a for p, a in THIRD_PARTY.items() if re.fullmatch(p, module.path)), None)
        tops = {i.target.split(".")[0] for i in module.imports(frozenset())}
        others = tops - set(sys.stdlib_module_names) - {"sjavs_env"}
        if allowed is not None:
            wrong += [f"{module.path} imports {x}" for x in sorted(others - allowed)]
    return wrong


def check_torch(found: tuple[Module, ...]) -> list[str]:
    """Modules that import torch and neither hold a network nor train one."""
    return [
        module.path
        for module in found
        if not re.fullmatch(WITH_TORCH, module.path)
        and any(i.target.split(".")[0] == "torch" for i in module.imports(frozenset()))
    ]


def check_preset_names(module: Module) -> list[str]:
    """Names of presets in identifiers and in text, documentation and default values apart."""
    allowed = set()
    for node in ast.walk(module.tree):
        if isinstance(node, (ast.Module, ast.ClassDef, *FUNCTIONS)):
            first = node.body[0]
            if isinstance(first, ast.Expr) and isinstance(first.value, ast.Constant):
                allowed.add(id(first.value))
        if isinstance(node, (*FUNCTIONS, ast.Lambda)):
            allowed |= {id(d) for d in [*node.args.defaults, *node.args.kw_defaults]}
    found = []
    for node in ast.walk(module.tree):
        if id(node) in allowed:
            continue
        words = _words(node)
        found += [f"{module.path}: {w!r}" for w in words for p in PRESETS if p in w.lower()]
    return sorted(set(found))


def _words(node: ast.AST) -> list[str]:
    """Identifiers and strings that a node holds itself."""
    fields = ("id", "attr", "arg", "name", "asname", "module", "value")
    values = [getattr(node, field, None) for field in fields]
    return [value for value in values if isinstance(value, str)]


def check_size(module: Module) -> list[str]:
    """Files and functions that are too long."""
    lines = len(module.text.splitlines())
    wrong = [f"{module.path} has {lines} lines"] if lines > MAX_FILE else []
    for node in ast.walk(module.tree):
        if isinstance(node, FUNCTIONS):
            length = (node.end_lineno or 0) - node.lineno + 1
            if length > MAX_FUNCTION:
                wrong.append(f"{module.path}: {node.name} has {length} lines")
    return wrong


def check_manners(module: Module) -> list[str]:
    """A docstring and ``__all__`` in every module; ``print`` in scripts alone."""
    wrong = [] if ast.get_docstring(module.tree) else [f"{module.path} has no docstring"]
    if module.is_script:
        return wrong
    stored = {n.id for n in ast.walk(module.tree) if isinstance(n, ast.Name) and is_stored(n)}
    is_bare = module.path.endswith("__init__.py") and len(module.tree.body) == 1
    if "__all__" not in stored and not is_bare:
        wrong.append(f"{module.path} has no __all__")
    if any(isinstance(n, ast.Name) and n.id == "print" for n in ast.walk(module.tree)):
        wrong.append(f"{module.path} prints")
    return wrong


def check_encodings(module: Module) -> list[str]:
    """Text files that are read or written in whatever encoding a machine happens to prefer."""
    wrong = []
    for node in ast.walk(module.tree):
        if not isinstance(node, ast.Call) or any(k.arg == "encoding" for k in node.keywords):
            continue
        name = getattr(node.func, "attr", getattr(node.func, "id", ""))
        modes = [a.value for a in node.args if isinstance(a, ast.Constant)]
        modes += [k.value.value for k in node.keywords if isinstance(k.value, ast.Constant)]
        is_text = {
            "read_text": len(node.args) < 1,
            "write_text": len(node.args) < 2,
            "open": any(isinstance(m, str) and re.fullmatch(r"[rwax]t?\+?", m) for m in modes)
            or (isinstance(node.func, ast.Name) and len(node.args) < 2),
        }
        if is_text.get(name, False):
            wrong.append(f"{module.path}: line {node.lineno} names no encoding")
    return wrong


def is_stored(node: ast.Name) -> bool:
    """The name is assigned to."""
    return isinstance(node.ctx, ast.Store)


# The program


def test_imports_go_in_one_direction() -> None:
    assert check_direction(modules()) == []


def test_no_module_is_imported_by_what_it_imports() -> None:
    assert check_cycles(modules()) == []


def test_no_folder_of_agents_is_imported_by_what_it_imports() -> None:
    assert check_rooms(modules()) == []


def test_the_name_of_a_module_leads_to_it_alone() -> None:
    assert check_leaves(modules()) == []


def test_the_name_of_a_kind_of_array_has_one_home() -> None:
    assert check_aliases(modules()) == []


def test_worlds_are_entered_by_their_doors() -> None:
    assert check_doors(modules()) == []


def test_the_environments_need_numpy_and_the_environment_libraries_alone() -> None:
    assert check_third_party(modules()) == []


def test_torch_is_imported_by_networks_and_their_training_alone() -> None:
    assert check_torch(modules()) == []


@pytest.mark.parametrize("module", modules(), ids=lambda m: m.path)
def test_a_module_is_short_and_well_mannered(module: Module) -> None:
    assert check_size(module) + check_manners(module) == []


@pytest.mark.parametrize(
    "module", [m for m in modules() if re.fullmatch(NO_PRESETS, m.path)], ids=lambda m: m.path
)
def test_the_engine_knows_no_preset_by_name(module: Module) -> None:
    assert check_preset_names(module) == []
    banned = {"sjavs_env.rules", "sjavs_env.rules.games.presets"}
    known = frozenset(m.name for m in modules())
    assert {i.target for i in module.imports(known)} & banned == set()


def test_text_files_have_an_encoding() -> None:
    paths = sorted((ROOT / "benchmarks").glob("*.py"))
    others = tuple(Module(p.relative_to(ROOT).as_posix(), p.read_text("utf-8")) for p in paths)
    assert [line for module in (*modules(), *others) for line in check_encodings(module)] == []


# The checks themselves


def program(**files: str) -> tuple[Module, ...]:
    """A small program; ``engine__game`` stands for sjavs_env/engine/game.py."""
    return tuple(
        Module(f"{'' if name == 'train' else 'sjavs_env/'}{name.replace('__', '/')}.py", text)
        for name, text in files.items()
    )


@pytest.mark.parametrize(
    "files",
    [
        {"cards": "import sjavs_env.rules.terms", "rules__terms": ""},
        {"engine__phases__tricks": "from sjavs_env.engine import game", "engine__game": ""},
        {"engine__phases__tricks": "from sjavs_env.engine import deal", "engine__deal": ""},
        {"engine__phases__tricks": "from sjavs_env.engine.deal import X, y", "engine__deal": ""},
        {
            "engine__phases__declare": "from sjavs_env.engine.phases.auction import _close",
            "engine__phases__auction": "",
        },
        {
            "engine__phases__exchange": "from .auction import suit_lengths",
            "engine__phases__auction": "",
        },
        {"engine__state": "from .actions import ActionMap", "engine__actions": ""},
        {
            "engine__course": "from .phases.concede import apply_concession",
            "engine__phases__concede": "",
        },
        {"engine__state": "from .course import go_on", "engine__course": ""},
        {
            "engine__game": "def f():\n    from sjavs_env.observation import views",
            "observation__views": "",
        },
        {"observation__views": "from .encode import Encoder", "observation__encode": ""},
        {"observation__encode": "from sjavs_env.envs.aec import env", "envs__aec": ""},
        {
            "observation__encode": "from .encode_single import SingleEncoder",
            "observation__encode_single": "",
        },
        {"records": "import train", "train": ""},
    ],
)
def test_an_import_in_the_wrong_direction_is_found(files: dict[str, str]) -> None:
    assert len(check_direction(program(**files))) == 1


def test_imports_in_the_right_direction_are_not_found() -> None:
    files = {
        "engine__phases__auction": "from sjavs_env.engine.state import Phase",
        "engine__phases__declare": "from .auction import CLUBS, suit_lengths",
        "engine__phases__exchange": "from sjavs_env.engine.course import go_on",
        "engine__course": "from sjavs_env.engine.state import GameState",
        "engine__state": "from sjavs_env.cards import Pack",
        "cards": "import numpy",
        "envs__aec": "from ..records import Record\nfrom . import options",
        "envs__options": "",
        "records": "from sjavs_env.engine.state import Phase",
        "train": "from sjavs_env.envs import aec",
    }
    assert check_direction(program(**files)) == []
    assert check_cycles(program(**files)) == []


def test_a_circle_of_imports_is_found_unless_it_is_for_types_alone() -> None:
    ring = {"records": "from .render import x", "render": "from .envs.a import y", "envs__a": ""}
    assert check_cycles(program(**ring)) == []
    ring["envs__a"] = "import sjavs_env.records"
    assert len(check_cycles(program(**ring))) == 3
    ring["envs__a"] = "if TYPE_CHECKING:\n    import sjavs_env.records"
    assert check_cycles(program(**ring)) == []


def test_a_circle_of_folders_is_found_and_so_is_a_way_around_a_door() -> None:
    texts = {
        "worlds/counting": "import sjavs_agents.belief.learned_belief",
        "belief/learned_belief": "X = 1",
        "belief/command": "from sjavs_agents.worlds import counting",
        "base": "X = 1",
    }
    found = tuple(Module(f"agents/sjavs_agents/{p}.py", text) for p, text in texts.items())
    assert check_cycles(found) == []
    assert check_rooms(found) == ["belief", "worlds"]
    assert check_doors(found) == [
        "agents/sjavs_agents/belief/command.py imports sjavs_agents.worlds.counting"
    ]


def test_two_modules_of_one_name_are_found() -> None:
    apart = {"engine__deal": "", "cards": "", "envs__registry": "", "records__registry": ""}
    assert check_leaves(program(**apart)) == []
    assert check_leaves(program(**apart, cli__deals="")) == [
        "sjavs_env/engine/deal.py and sjavs_env/cli/deals.py"
    ]


def test_a_kind_of_array_named_in_two_places_is_found() -> None:
    words = "Words = NDArray[np.uint64]"
    assert check_aliases(program(cards=words, errors="Ints = NDArray[np.intp]")) == []
    assert check_aliases(program(cards=words, errors="Words = NDArray[np.uint32]")) == [
        "Words: sjavs_env/cards.py and sjavs_env/errors.py"
    ]


def test_a_foreign_package_is_found() -> None:
    assert check_third_party(
        program(observation__views="import gymnasium", batch="import gymnasium")
    ) == ["sjavs_env/observation/views.py imports gymnasium"]
    assert len(check_third_party(program(batch="from torch import nn"))) == 1
    assert check_torch(program(batch="from torch import nn")) == ["sjavs_env/batch.py"]
    assert check_torch((Module("agents/sjavs_agents/base.py", "import torch.nn"),)) == [
        "agents/sjavs_agents/base.py"
    ]
    assert check_torch((Module("agents/sjavs_agents/neural/net.py", "import torch"),)) == []


@pytest.mark.parametrize(
    ("text", "is_found"),
    [
        ('"""Like suduroy."""\ndef f(rules: str = "suduroy"):\n    """faroese"""', False),
        ('if name == "suduroy":\n    pass', True),
        ("is_suduroy = 1", True),
        ("tables.faroese_free", True),
        ("from x import SUDUROY", True),
        ("f(suduroy=1)", True),
        ('x = f"{y} faroese"', True),
    ],
)
def test_names_of_presets_are_found(text: str, is_found: bool) -> None:
    found = check_preset_names(Module("sjavs_env/engine/x.py", text))
    assert bool(found) == is_found


def test_long_files_long_functions_and_bad_manners_are_found() -> None:
    long = "def f():\n" + "    x = 1\n" * 60
    assert len(check_size(Module("a.py", long))) == 1
    assert len(check_size(Module("a.py", "x = 1\n" * 401))) == 1
    assert check_size(Module("a.py", "def f():\n" + "    x = 1\n" * 59)) == []
    assert len(check_manners(Module("agents/a.py", "print(1)"))) == 3
    assert check_manners(Module("train.py", '"""A script."""\nprint(1)')) == []
    assert check_manners(Module("agents/__init__.py", '"""A package."""')) == []
    assert check_manners(Module("agents/a.py", '"""A module."""\n__all__ = ["a"]')) == []


@pytest.mark.parametrize(
    ("text", "count"),
    [
        ("p.read_text()", 1),
        ("p.write_text(x)", 1),
        ("open(p)", 1),
        ("p.open('w')", 1),
        ("p.open(mode='a')", 1),
        ("p.read_text('utf-8')", 0),
        ("p.read_text(encoding='utf-8')", 0),
        ("p.write_text(x, encoding='utf-8')", 0),
        ("open(p, 'rb')", 0),
        ("p.open('w', encoding='utf-8')", 0),
        ("notes.open(state, rows)", 0),
    ],
)
def test_a_text_file_without_an_encoding_is_found(text: str, count: int) -> None:
    assert len(check_encodings(Module("agents/a.py", text))) == count


def test_the_whole_program_is_looked_at() -> None:
    paths = {m.path for m in modules()}
    assert {"sjavs_env/cards.py", "sjavs_env/engine/game.py", "sjavs_env/rules/ruleset.py"} <= paths
    assert {f"sjavs_env/engine/phases/{name}.py" for name in ("exchange", "concede")} <= paths
    assert {f"sjavs_env/rules/{name}.py" for name in ("packets", "terms", "games/faroese")} <= paths
    assert {m.layer for m in modules()} <= set(ORDER)
