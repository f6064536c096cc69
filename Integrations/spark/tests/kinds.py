"""Rows with edge cases of every attribute type."""

EDGES: list[dict] = [
    {
        "blob": "AQID",
        "count": 2147483647,
        "created": "2024-05-06T07:08:09.123456Z",
        "done": True,
        "key": "E621E1F8-C36C-495A-93FC-0C247A3E6E5F",
        "length": 0.1,
        "link": "https://example.com/?a=1&b=2",
        "name": 'Ray, "quoted"\nand a line',
        "number": 9223372036854775807,
        "price": 12.345,
        "short": -32768,
        "size.height": 1.5,
        "size.width": 3,
        "style": "AAEC",
        "weight": 0.1,
    },
    {
        "created": "0001-01-01T00:00:00Z",
        "done": False,
        "length": 1e300,
        "name": "",
        "number": -9223372036854775808,
        "price": 9223372036854775808.0,
        "short": 32767,
        "weight": 3.4e38,
    },
    {"created": "4001-01-01T00:00:00Z", "name": "null", "price": 1.2345e-11, "length": "Infinity"},
    {"created": "2024-05-06T07:08:09.1234567Z", "name": "Čeněk 🍵\t\\", "count": -1, "price": -0.5},
    {"name": "ray", "length": -1.5, "weight": -0.25, "key": "00000000-0000-0000-0000-00000000000F"},
    {},
]


def numbered(count: int) -> list[dict]:
    """Returns simple rows with unique numbers."""
    return [
        {"number": n, "name": f"row {n}", "done": n % 3 == 0, "price": n / 4, "count": n % 7}
        for n in range(count)
    ]
