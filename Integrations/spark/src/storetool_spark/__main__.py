"""The program `storetool-arrow STORES… --entity Item --model M`: writes rows as Arrow IPC."""

import argparse
import sys

import pyarrow as pa

from . import StoretoolError, batches


def main() -> int:
    parser = argparse.ArgumentParser(
        prog="storetool-arrow",
        description="Write the rows of an entity in stores as a stream in Arrow's IPC format.",
    )
    parser.add_argument("stores", nargs="+", help="stores and folders with stores")
    parser.add_argument("--entity", required=True)
    parser.add_argument("--model", required=True)
    for name in ("where", "columns", "strings", "filter", "version", "decimal", "storetool"):
        parser.add_argument(f"--{name}", default=None)
    given = {name: value for name, value in vars(parser.parse_args()).items() if value is not None}
    if sys.stdout.isatty():
        parser.error("can't write Arrow data to a terminal: redirect it to a file or a pipe")
    try:
        reader = batches(given.pop("stores"), given.pop("entity"), **given)
        with pa.ipc.new_stream(sys.stdout.buffer, reader.schema) as stream:
            for batch in reader:
                stream.write_batch(batch)
    except StoretoolError as error:
        print(f"error: {error}", file=sys.stderr)
        return 1
    except BrokenPipeError:
        # The reader has closed the pipe.
        sys.stderr.close()
    return 0


if __name__ == "__main__":
    sys.exit(main())
