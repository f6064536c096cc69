# Club, name == 'Reds'
-- store the keys to delete
DROP TABLE IF EXISTS temp.deleted_ZBADGE
-- store the keys to delete
CREATE TEMP TABLE deleted_ZBADGE (key INTEGER PRIMARY KEY, entity INTEGER, round INTEGER DEFAULT 0)
-- store the keys to delete
DROP TABLE IF EXISTS temp.deleted_ZCLUB
-- store the keys to delete
CREATE TEMP TABLE deleted_ZCLUB (key INTEGER PRIMARY KEY, entity INTEGER, round INTEGER DEFAULT 0)
-- find the rows
INSERT INTO temp.deleted_ZCLUB (key, entity) SELECT t0.Z_PK, 2 FROM ZCLUB t0 WHERE t0.ZNAME = 'Reds' ORDER BY t0.Z_PK
-- follow Club.badge until no rows are added
INSERT OR IGNORE INTO temp.deleted_ZBADGE (key, entity, round) SELECT t.Z_PK, t.Z_ENT, d.round + 1 FROM temp.deleted_ZCLUB AS d CROSS JOIN ZCLUB AS s ON s.Z_PK = d.key CROSS JOIN ZBADGE AS t ON t.Z_PK = s.ZBADGE WHERE d.round = 0
-- clear Club.news
UPDATE ZNOTE SET Z2NEWS = NULL, Z_OPT = Z_OPT % 9223372036854775807 + 1 WHERE Z2NEWS IN (SELECT key FROM temp.deleted_ZCLUB)
-- clear Player.club
UPDATE ZPLAYER SET ZCLUB = NULL, Z_FOK_CLUB = NULL, Z_OPT = Z_OPT % 9223372036854775807 + 1 WHERE ZCLUB IN (SELECT key FROM temp.deleted_ZCLUB)
-- increment the version of remaining rows
CREATE TEMP TABLE touched_row (key INTEGER PRIMARY KEY)
-- increment the version of remaining rows
INSERT OR IGNORE INTO temp.touched_row SELECT Z_8SPONSORS FROM Z_2SPONSORS WHERE Z_2CLUBS IN (SELECT key FROM temp.deleted_ZCLUB)
-- increment the version of remaining rows
UPDATE ZSPONSOR SET Z_OPT = Z_OPT % 9223372036854775807 + 1 WHERE Z_PK IN (SELECT key FROM temp.touched_row)
-- increment the version of remaining rows
DROP TABLE temp.touched_row
-- remove links
DELETE FROM Z_2SPONSORS WHERE Z_2CLUBS IN (SELECT key FROM temp.deleted_ZCLUB)
-- delete (everything)
DELETE FROM ZBADGE
-- delete (keys)
DELETE FROM ZCLUB WHERE Z_PK IN (SELECT key FROM temp.deleted_ZCLUB)

# Captain, all
-- store the keys to delete
DROP TABLE IF EXISTS temp.deleted_ZPLAYER
-- store the keys to delete
CREATE TEMP TABLE deleted_ZPLAYER (key INTEGER PRIMARY KEY, entity INTEGER, round INTEGER DEFAULT 0)
-- store the keys to delete
CREATE INDEX temp.deleted_ZPLAYER_round ON deleted_ZPLAYER (round)
-- find the rows
INSERT INTO temp.deleted_ZPLAYER (key, entity) SELECT t0.Z_PK, t0.Z_ENT FROM ZPLAYER t0 WHERE t0.Z_ENT = 7 ORDER BY t0.Z_PK
-- follow Captain.team until no rows are added
INSERT OR IGNORE INTO temp.deleted_ZPLAYER (key, entity, round) SELECT t.Z_PK, t.Z_ENT, d.round + 1 FROM temp.deleted_ZPLAYER AS d CROSS JOIN ZPLAYER AS t ON t.ZCAPTAIN = d.key WHERE d.round = 0 AND d.entity = 7
-- store the names of files
DROP TABLE IF EXISTS temp.deleted_file
-- store the names of files
CREATE TEMP TABLE deleted_file (name BLOB PRIMARY KEY) WITHOUT ROWID
-- store the names of files
INSERT OR IGNORE INTO temp.deleted_file SELECT substr(ZPHOTO, 2, 36) FROM ZPLAYER WHERE Z_PK IN (SELECT key FROM temp.deleted_ZPLAYER) AND substr(ZPHOTO, 1, 1) = x'02' AND substr(ZPHOTO, 38, 1) IN (x'', x'00')
-- increment the version of remaining rows
CREATE TEMP TABLE touched_row (key INTEGER PRIMARY KEY)
-- increment the version of remaining rows
INSERT OR IGNORE INTO temp.touched_row SELECT ZCLUB FROM ZPLAYER WHERE Z_PK IN (SELECT key FROM temp.deleted_ZPLAYER) AND ZCLUB NOT NULL
-- increment the version of remaining rows
UPDATE ZCLUB SET Z_OPT = Z_OPT % 9223372036854775807 + 1 WHERE Z_PK IN (SELECT key FROM temp.touched_row)
-- increment the version of remaining rows
DROP TABLE temp.touched_row
-- increment the version of remaining rows
CREATE TEMP TABLE touched_row (key INTEGER PRIMARY KEY)
-- increment the version of remaining rows
INSERT OR IGNORE INTO temp.touched_row SELECT ZCAPTAIN FROM ZPLAYER WHERE Z_PK IN (SELECT key FROM temp.deleted_ZPLAYER) AND ZCAPTAIN NOT NULL AND ZCAPTAIN NOT IN (SELECT key FROM temp.deleted_ZPLAYER)
-- increment the version of remaining rows
UPDATE ZPLAYER SET Z_OPT = Z_OPT % 9223372036854775807 + 1 WHERE Z_PK IN (SELECT key FROM temp.touched_row)
-- increment the version of remaining rows
DROP TABLE temp.touched_row
-- delete (keys)
DELETE FROM ZPLAYER WHERE Z_PK IN (SELECT key FROM temp.deleted_ZPLAYER)
-- keep the files of remaining rows
DELETE FROM temp.deleted_file WHERE name IN (SELECT substr(ZPHOTO, 2, 36) FROM ZPLAYER WHERE substr(ZPHOTO, 1, 1) = x'02')
