//! Translates a schema from PostgreSQL's dialect into SQLite's.
//!
//! The translation covers the statements that migrations use: `CREATE TABLE`, `CREATE INDEX`,
//! `CREATE VIEW`, `ALTER TABLE … ADD COLUMN` and statements that change data. Keywords are uppercase. A
//! statement ends with a `;` at the end of a line. Strings contain neither `--` nor parentheses. SQLite
//! rejects types that are not translated, because all tables are `STRICT`.

/// The comment line before a table that gets a rowid in SQLite. Other tables are `WITHOUT ROWID` if they
/// have a primary key other than an integer.
const ROWID: &str = "-- sqlite: rowid";

/// Translates migrations into SQLite's dialect, without their comments.
pub(crate) fn translated(sql: &str) -> String {
    let mut translation = String::new();
    let (mut statement, mut has_rowid) = (String::new(), false);
    for line in sql.lines() {
        has_rowid |= line.trim() == ROWID;
        let code = line
            .split_once("--")
            .map_or(line, |(code, _)| code)
            .trim_end();
        if code.is_empty() {
            continue;
        }
        statement.push_str(code);
        statement.push('\n');
        if code.ends_with(';') {
            translation.push_str(&translated_statement(statement.trim_start(), has_rowid));
            (statement, has_rowid) = (String::new(), false);
        }
    }
    translation + &translated_statement(statement.trim_start(), has_rowid)
}

fn translated_statement(statement: &str, has_rowid: bool) -> String {
    let statement = statement
        .replace(" COLLATE \"C\"", "")
        .replace("extract(epoch FROM now())", "unixepoch()");
    let translation = match statement.split_whitespace().next() {
        Some("CREATE") => table(&statement, has_rowid).or_else(|| index(&statement)),
        Some("ALTER") => added_column(&statement),
        _ => None,
    };
    translation.unwrap_or(statement)
}

fn table(statement: &str, has_rowid: bool) -> Option<String> {
    if !statement.starts_with("CREATE TABLE ") {
        return None;
    }
    let (head, definitions, _storage) = parenthesized(statement)?;
    let mut depth = 0;
    let definitions: Vec<&str> = definitions
        .split(|c| {
            depth += nesting(c);
            c == ',' && depth == 0
        })
        .map(str::trim)
        .collect();
    let is_key = |definition: &&str| definition.contains("PRIMARY KEY");
    let is_integer = |definition: &str| definition.split_whitespace().nth(1) == Some("bigint");
    let options = match definitions.iter().copied().find(is_key) {
        Some(key) if !has_rowid && !is_integer(key) => "STRICT, WITHOUT ROWID",
        _ => "STRICT",
    };
    let definitions: Vec<String> = definitions.into_iter().map(definition).collect();
    let definitions = definitions.join(",\n  ");
    Some(format!("{head}(\n  {definitions}\n) {options};\n"))
}

/// Appends the columns of `INCLUDE` to the indexed columns: SQLite has no other covering indexes.
fn index(statement: &str) -> Option<String> {
    let (head, columns, tail) = parenthesized(statement)?;
    let (_, included, tail) = parenthesized(tail.trim_start().strip_prefix("INCLUDE")?)?;
    Some(format!("{head}({columns}, {included}){tail}"))
}

fn added_column(statement: &str) -> Option<String> {
    let (head, column) = statement.trim_end().split_once(" ADD COLUMN ")?;
    let column = definition(column.trim_end_matches(';'));
    Some(format!("{head} ADD COLUMN {column};\n"))
}

/// Translates a column. The second word of a table constraint is not a type, so it stays as it is.
fn definition(definition: &str) -> String {
    let mut words = definition.splitn(3, char::is_whitespace);
    let (Some(name), Some(sql_type)) = (words.next(), words.next()) else {
        return definition.to_owned();
    };
    let constraints = words.next().unwrap_or_default();
    let sql_type = match sql_type {
        "uuid" => format!("BLOB CHECK (length({name}) = 16)"),
        "bytea" => "BLOB".to_owned(),
        "bigint" => "INTEGER".to_owned(),
        "boolean" => format!("INTEGER CHECK ({name} IN (0, 1))"),
        "text" => "TEXT".to_owned(),
        _ => return definition.to_owned(),
    };
    let constraints = constraints.replace(
        "GENERATED ALWAYS AS IDENTITY PRIMARY KEY",
        "PRIMARY KEY AUTOINCREMENT",
    );
    format!("{name} {sql_type} {constraints}")
        .trim_end()
        .to_owned()
}

/// Splits at the first parenthesis and at the one that closes it.
fn parenthesized(sql: &str) -> Option<(&str, &str, &str)> {
    let (head, rest) = sql.split_once('(')?;
    let mut depth = 1;
    let (inside, tail) = rest.split_once(|c| {
        depth += nesting(c);
        depth == 0
    })?;
    Some((head, inside, tail))
}

/// How many parentheses a character opens.
fn nesting(c: char) -> i32 {
    match c {
        '(' => 1,
        ')' => -1,
        _ => 0,
    }
}

#[cfg(test)]
mod tests {
    use rusqlite::Connection;

    use super::translated;

    #[test]
    fn columns_get_the_types_of_sqlite() {
        let sql = "
            CREATE TABLE email (
              id uuid PRIMARY KEY,
              -- The plain text; HTML is optional.
              text text COLLATE \"C\" NOT NULL,
              html text, -- never empty
              digest bytea NOT NULL UNIQUE CHECK (octet_length(digest) IN (20, 32)),
              size bigint DEFAULT 0,
              sent boolean NOT NULL DEFAULT false
            );";
        let expected = "CREATE TABLE email (
  id BLOB CHECK (length(id) = 16) PRIMARY KEY,
  text TEXT NOT NULL,
  html TEXT,
  digest BLOB NOT NULL UNIQUE CHECK (octet_length(digest) IN (20, 32)),
  size INTEGER DEFAULT 0,
  sent INTEGER CHECK (sent IN (0, 1)) NOT NULL DEFAULT false
) STRICT, WITHOUT ROWID;
";
        assert_eq!(translated(sql), expected);
    }

    #[test]
    fn tables_have_a_rowid_if_marked_or_without_another_key() {
        let options = |sql: &str| {
            let translation = translated(sql);
            let (_, options) = translation.rsplit_once(')').unwrap();
            options.trim().to_owned()
        };
        let composite = "CREATE TABLE t (a bigint, b text, PRIMARY KEY (a, b)) WITH (x = 0.02);";
        assert_eq!(options(composite), "STRICT, WITHOUT ROWID;");
        assert_eq!(
            options(&format!("-- sqlite: rowid\n{composite}")),
            "STRICT;"
        );
        let next = format!("-- sqlite: rowid\n{composite}\n{composite}");
        assert_eq!(options(&next), "STRICT, WITHOUT ROWID;");
        assert_eq!(
            options("CREATE TABLE t (a text PRIMARY KEY);"),
            "STRICT, WITHOUT ROWID;"
        );
        assert_eq!(options("CREATE TABLE t (a bigint PRIMARY KEY);"), "STRICT;");
        assert_eq!(options("CREATE TABLE t (a bigint);"), "STRICT;");
        assert_eq!(options("CREATE TABLE t (a bigint)"), "STRICT;");
    }

    #[test]
    fn identities_are_never_reused() {
        let sql = "CREATE TABLE t (id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY);";
        let expected = "CREATE TABLE t (\n  id INTEGER PRIMARY KEY AUTOINCREMENT\n) STRICT;\n";
        assert_eq!(translated(sql), expected);
    }

    #[test]
    fn included_columns_are_indexed() {
        let sql = "CREATE INDEX i ON t (a, lower(b) DESC)\n  INCLUDE (c, d) WHERE a > 0;\n";
        let expected = "CREATE INDEX i ON t (a, lower(b) DESC, c, d) WHERE a > 0;\n";
        assert_eq!(translated(sql), expected);
    }

    #[test]
    fn added_columns_get_the_types_of_sqlite() {
        let sql = "ALTER TABLE t ADD COLUMN text text;\nALTER TABLE t ADD COLUMN u uuid REFERENCES v (id);\n";
        let expected = "ALTER TABLE t ADD COLUMN text TEXT;\n\
                        ALTER TABLE t ADD COLUMN u BLOB CHECK (length(u) = 16) REFERENCES v (id);\n";
        assert_eq!(translated(sql), expected);
    }

    #[test]
    fn other_statements_stay_as_they_are() {
        let sql = "CREATE UNIQUE INDEX i ON t (text) WHERE text IN ('a', 'b');\n\
                   CREATE VIEW v AS\nSELECT text, uuid FROM t WHERE (a IS NULL);\n\
                   INSERT INTO t (text) VALUES ('bigint');\n\
                   SELECT 1\n";
        assert_eq!(translated(sql), sql);
    }

    #[test]
    fn sqlite_accepts_the_translation() {
        let db = Connection::open_in_memory().unwrap();
        let sql = "
            -- An integer that SQLite assigns.
            CREATE TABLE parent (
              id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
              at bigint NOT NULL
            ) WITH (autovacuum_vacuum_scale_factor = 0.02);
            INSERT INTO parent (at) VALUES (CAST(extract(epoch FROM now()) * 1000 AS bigint));
            CREATE TABLE child (
              parent bigint NOT NULL REFERENCES parent (id),
              key uuid,
              PRIMARY KEY (parent, key)
            );
            ALTER TABLE child ADD COLUMN done boolean NOT NULL DEFAULT false;";
        db.execute_batch(&translated(sql)).unwrap();
        let is_now = "SELECT abs(at - unixepoch() * 1000) < 60000 FROM parent WHERE id = 1";
        assert!(
            db.query_row(is_now, [], |row| row.get::<_, bool>(0))
                .unwrap()
        );
        let insert = |key: &str, done: &str| {
            let sql = format!("INSERT INTO child (parent, key, done) VALUES (1, {key}, {done})");
            db.execute(&sql, []).is_ok()
        };
        assert!(insert("zeroblob(16)", "true"));
        assert!(!insert("zeroblob(15)", "true"));
        assert!(!insert("NULL", "true"));
        assert!(!insert("randomblob(16)", "2"));
        assert!(!insert("randomblob(16)", "'yes'"));
    }
}
