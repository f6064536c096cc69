-- A million books on 100,000 shelves, with two tags each. A linear congruence creates the same data in every run.
PRAGMA journal_mode = OFF;
PRAGMA synchronous = OFF;
PRAGMA cache_size = -400000;
CREATE TEMP TABLE word (i INTEGER PRIMARY KEY, text);
INSERT INTO word VALUES (0, 'buy'), (1, 'milk'), (2, 'Café'), (3, 'call'), (4, 'Anna'), (5, 'Write'), (6, 'report'), (7, 'fix'),
  (8, 'Bike'), (9, 'plan'), (10, 'trip'), (11, 'naïve'), (12, 'River'), (13, 'stone'), (14, 'Light'), (15, 'garden');
BEGIN;
WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 100000)
INSERT INTO ZSHELF (Z_PK, Z_ENT, Z_OPT, ZNAME, ZROOM)
SELECT i, 2, 1, format('shelf %06d', i * 7919 % 100000), format('room %03d', i * 104729 % 1000) FROM n;
WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 1000)
INSERT INTO ZTAG (Z_PK, Z_ENT, Z_OPT, ZNAME) SELECT i, 3, 1, format('tag %04d', i) FROM n;
-- One book in twenty doesn't have a shelf.
WITH RECURSIVE n(i, r) AS (
  SELECT 1, 1 UNION ALL SELECT i + 1, (r * 1103515245 + 12345) % 2147483648 FROM n WHERE i < 1000000)
INSERT INTO ZBOOK (Z_PK, Z_ENT, Z_OPT, ZNUMBER, ZPAGES, ZSHELF, ZPRICE, ZBLURB, ZTITLE)
SELECT i, 1, 1, i * 7, (r >> 8) % 1000, iif(i % 20 = 0, NULL, 1 + (r >> 5) % 100000), (r >> 3) % 10000 / 100.0,
  (SELECT text FROM word WHERE word.i = (r >> 7) & 15) || ' ' || (SELECT text FROM word WHERE word.i = (r >> 11) & 15)
    || ' ' || (SELECT text FROM word WHERE word.i = (r >> 15) & 15) || ' ' || i,
  format('title %07d', (r >> 4) % 10000000)
FROM n;
INSERT INTO Z_1TAGS SELECT Z_PK, 1 + Z_PK * 7919 % 1000 FROM ZBOOK;
INSERT OR IGNORE INTO Z_1TAGS SELECT Z_PK, 1 + (Z_PK * 104729 + 17) % 1000 FROM ZBOOK;
UPDATE Z_PRIMARYKEY SET Z_MAX = CASE Z_NAME WHEN 'Book' THEN 1000000 WHEN 'Shelf' THEN 100000 ELSE 1000 END;
COMMIT;
