"""The cluster files: valid for Ray's launcher, and naming things that exist."""

import re
import tomllib
from pathlib import Path

import yaml
from packaging.requirements import Requirement
from ray.autoscaler._private.util import prepare_config, validate_config

ROOT = Path(__file__).parents[2]
EXTRAS = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["optional-dependencies"]
RAY = next(Requirement(line) for line in EXTRAS["cluster"] if line.startswith("ray"))


def read(name):
    return yaml.safe_load((ROOT / "examples" / name).read_text())


def test_rays_launcher_takes_its_file():
    prepared = prepare_config(read("cluster.yaml"))
    validate_config(prepared)
    assert prepared["max_workers"] == len(prepared["provider"]["worker_ips"])


def test_kubernetes_gets_a_cluster_of_the_image():
    cluster = read("kuberay.yaml")
    spec = cluster["spec"]
    assert (cluster["apiVersion"], cluster["kind"]) == ("ray.io/v1", "RayCluster")
    assert RAY.specifier.contains(spec["rayVersion"])
    for group in (spec["headGroupSpec"], *spec["workerGroupSpecs"]):
        (container,) = group["template"]["spec"]["containers"]
        assert (
            container["image"] == "stardeck" and container["resources"]["requests"] == container["resources"]["limits"]
        )


def test_extras_that_are_installed_exist():
    for name in ("Dockerfile", "cluster.yaml"):
        text = (ROOT / "examples" / name).read_text()
        named = re.findall(r"stardeck\[([\w,]+)\]|EXTRAS=([\w,]+)", text)
        extras = {extra for pair in named for listed in pair if listed for extra in listed.split(",")}
        assert extras and extras <= set(EXTRAS)
