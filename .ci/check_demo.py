"""Fails if the demo's noisy-moments fit is further from the non-private fit than its standard errors allow."""
import json
import sys

with open(sys.argv[1], encoding="utf-8") as file:
    result = json.load(file)
fits = {fit["source"]: fit for fit in result["fits"]}
plain, private = fits["non-private"], fits["moments"]
bad = [
    name
    for name, value in plain["coefficients"].items()
    if not abs(private["coefficients"][name] - value) <= 4 * private["standardErrors"][name]
]
print(f"{result['rows']} rows, excess RMSE of moments {100 * private['excessRmse']:.4f} %, "
      f"{len(plain['coefficients'])} coefficients, {len(bad)} further than 4 standard errors from the non-private fit")
if bad or not 0 <= private["excessRmse"] < 0.5:
    sys.exit(f"the demo's result is wrong: {bad}")
