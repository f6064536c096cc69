"""`storetool-arrow STORES… --entity Item --model M`: rows as a stream of Arrow IPC."""

import argparse
import sys

import pyarrow as pa

from . import StoretoolError, batches


def main() -> int:
    parser = argparse.ArgumentParser(
        prog="storetool-arrow",
        description="Writes the rows of an entity in stores as a stream of Arrow's IPC format.",
    )
    parser.add_argument("stores", nargs="+", help="stores, and folders with stores")
    parser.add_argument("--entity", required=True)
    parser.add_argument("--model", required=True)
    for name in ("where", "columns", "strings", "filter", "version", "decimal", "storetool"):
        parser.add_argument(f"--{name}", default=None)
    given = {name: value for name, value in vars(parser.parse_args()).items() if value is not None}
    if sys.stdout.isatty():
        parser.error("the stream is for a program: redirect it to a file or a pipe")
    try:
        reader = batches(given.pop("stores"), given.pop("entity"), **given)
        with pa.ipc.new_stream(sys.stdout.buffer, reader.schema) as stream:
            for batch in reader:
                stream.write_batch(batch)
    except StoretoolError as error:
        print(f"error: {error}", file=sys.stderr)
        return 1
    except BrokenPipeError:
        # Who reads has enough.
        sys.stderr.close()
    return 0


if __name__ == "__main__":
    sys.exit(main())
