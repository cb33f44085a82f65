"""Fails if the demo's noisy-moments fit is further from the non-private fit than its standard errors allow."""
import json
import sys

with open(sys.argv[1], encoding="utf-8") as file:
    result = json.load(file)
fits = {fit["source"]: fit for fit in result["fits"]}
plain, private = fits["non-private"], fits["moments"]
errors = private["standardErrors"]
withheld = [name for name in plain["coefficients"] if errors[name] is None]
bad = [
    name
    for name, value in plain["coefficients"].items()
    if name not in withheld and not abs(private["coefficients"][name] - value) <= 4 * errors[name]
]
print(f"{result['rows']} rows, excess RMSE of moments {100 * private['excessRmse']:.4f} %, "
      f"{len(plain['coefficients'])} coefficients, {len(bad)} further than 4 standard errors from the non-private fit, "
      f"{len(withheld)} standard errors withheld")
if len(withheld) == len(errors):
    sys.exit("the release bounds the error of no coefficient")
if bad or not 0 <= private["excessRmse"] < 0.5:
    sys.exit(f"the demo's result is wrong: {bad}")
