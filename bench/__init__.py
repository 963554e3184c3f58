"""How fast it is: each figure beside its floor, measured in the same run. A module here is a part of the report and has
a `report` that yields its lines."""
