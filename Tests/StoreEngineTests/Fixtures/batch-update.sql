-- flag=true where TRUEPREDICATE
UPDATE ZTHING AS t0 SET ZFLAG = 1, Z_OPT = Z_OPT + 1 WHERE (t0.ZFLAG IS NOT 1);

-- flag=true count16:=count16 + 1 where count16 > 4 OR text == nil
UPDATE ZTHING AS t0 SET ZFLAG = 1, ZCOUNT16 = (t0.ZCOUNT16 + 1), Z_OPT = Z_OPT + 1 WHERE (t0.ZCOUNT16 > 4 OR t0.ZTEXT IS NULL) AND (t0.ZFLAG IS NOT 1 OR t0.ZCOUNT16 IS NOT (t0.ZCOUNT16 + 1));

-- text:=owner.key where owner.age > 3
CREATE TEMP TABLE storetool_updated (k INTEGER PRIMARY KEY, e INTEGER, v0);
INSERT INTO temp.storetool_updated SELECT t0.Z_PK, t0.Z_ENT, (t1.ZKEY) FROM ZTHING t0 LEFT JOIN ZBEING t1 ON t1.Z_PK = t0.ZOWNER WHERE (+t0.ZOWNER IN (SELECT t2.Z_PK FROM ZBEING t2 WHERE t2.ZAGE > 3)) AND (t0.ZTEXT IS NOT (t1.ZKEY));
UPDATE ZTHING SET ZTEXT = n.v0, Z_OPT = Z_OPT + 1 FROM temp.storetool_updated AS n WHERE ZTHING.Z_PK = n.k;

-- parent=x-coredata:///Gadget/p3 where TRUEPREDICATE
CREATE TEMP TABLE storetool_updated (k INTEGER PRIMARY KEY, e INTEGER, v0, v1);
INSERT INTO temp.storetool_updated SELECT t0.Z_PK, t0.Z_ENT, 3, 7 FROM ZTHING t0 WHERE (t0.ZPARENT IS NOT 3 OR t0.Z6_PARENT IS NOT 7);
UPDATE ZTHING SET ZPARENT = n.v0, Z6_PARENT = n.v1, Z_FOK_PARENT = NULL, Z_OPT = Z_OPT + 1 FROM temp.storetool_updated AS n WHERE ZTHING.Z_PK = n.k;
WITH taken AS (SELECT o.ZPARENT AS owner, max(o.Z_FOK_PARENT) AS place FROM ZTHING AS o WHERE o.ZPARENT IN (SELECT v0 FROM temp.storetool_updated) GROUP BY 1), placed AS (SELECT n.k AS k, 1024 * row_number() OVER (PARTITION BY n.v0 ORDER BY n.k) + coalesce(taken.place, 1024) AS place FROM temp.storetool_updated AS n JOIN taken ON taken.owner = n.v0) UPDATE ZTHING SET Z_FOK_PARENT = placed.place FROM placed WHERE ZTHING.Z_PK = placed.k;

-- owner:=nil where SUBQUERY(children, $c, $c.flag == YES).@count > 1
UPDATE ZTHING AS t0 SET ZOWNER = NULL, Z_OPT = Z_OPT + 1 WHERE ((SELECT COUNT(*) FROM ZTHING t1 WHERE t1.ZPARENT = t0.Z_PK AND t1.ZFLAG = 1) > 1) AND (t0.ZOWNER IS NOT NULL);

-- one-to-one
CREATE TEMP TABLE storetool_updated (k INTEGER PRIMARY KEY, e INTEGER, v0);
INSERT INTO temp.storetool_updated SELECT t0.Z_PK, t0.Z_ENT, 2 FROM ZBEING t0 WHERE (t0.Z_ENT = 2) AND (t0.ZSPOUSE IS NOT 2);
UPDATE ZBEING SET ZSPOUSE = NULL, Z_OPT = Z_OPT + 1 WHERE ZSPOUSE IN (SELECT k FROM temp.storetool_updated);
UPDATE ZBEING SET ZSPOUSE = NULL, Z_OPT = Z_OPT + 1 WHERE ZSPOUSE IN (SELECT v0 FROM temp.storetool_updated) AND Z_PK NOT IN (SELECT k FROM temp.storetool_updated);
UPDATE ZBEING SET ZSPOUSE = n.v0, Z_OPT = Z_OPT + 1 FROM temp.storetool_updated AS n WHERE ZBEING.Z_PK = n.k;
UPDATE ZBEING SET ZSPOUSE = n.k, Z_OPT = Z_OPT + 1 FROM temp.storetool_updated AS n WHERE ZBEING.Z_PK = n.v0 AND ZBEING.ZSPOUSE IS NOT n.k;
