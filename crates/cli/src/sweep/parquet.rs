//! Tables as Apache Parquet: the part of the format that plain tables need. Values are stored plainly, without compression, one page
//! for each column of a group of rows; metadata is in Thrift's compact protocol (parquet-format 2.11, `parquet.thrift`).

use std::io::Write;

/// Rows that are kept in memory and written together.
const GROUP: usize = 50_000;

const MAGIC: &[u8] = b"PAR1";

/// What a column holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    Flag,
    Integer,
    Number,
    Text,
}

/// A column of a table.
#[derive(Clone, Debug)]
pub(super) struct Column {
    pub(super) name: String,
    pub(super) kind: Kind,
    /// Whether values may be missing.
    pub(super) optional: bool,
}

/// A value, of its column's kind.
#[derive(Clone, Debug)]
pub(super) enum Cell {
    Flag(bool),
    Integer(i64),
    Number(f64),
    Text(String),
}

/// Writes rows as they come.
pub(super) struct ParquetWriter<W> {
    file: W,
    at: u64,
    columns: Vec<Column>,
    rows: Vec<Vec<Option<Cell>>>,
    groups: Vec<Group>,
}

/// A group of rows that is written.
struct Group {
    rows: usize,
    /// Where each column begins in the file, and its length in bytes.
    chunks: Vec<(u64, u64)>,
}

impl Kind {
    /// `Type` of the format.
    fn code(self) -> i64 {
        match self {
            Self::Flag => 0,
            Self::Integer => 2,
            Self::Number => 5,
            Self::Text => 6,
        }
    }
}

impl<W: Write> ParquetWriter<W> {
    pub(super) fn new(mut file: W, columns: Vec<Column>) -> anyhow::Result<Self> {
        file.write_all(MAGIC)?;
        Ok(Self { file, at: MAGIC.len() as u64, columns, rows: Vec::new(), groups: Vec::new() })
    }

    /// Adds a row with a cell for every column.
    pub(super) fn push(&mut self, row: Vec<Option<Cell>>) -> anyhow::Result<()> {
        self.rows.push(row);
        if self.rows.len() == GROUP { self.write_group() } else { Ok(()) }
    }

    /// Writes what is left.
    pub(super) fn finish(mut self) -> anyhow::Result<()> {
        if !self.rows.is_empty() {
            self.write_group()?;
        }
        let metadata = self.metadata();
        self.file.write_all(&metadata)?;
        self.file.write_all(&(metadata.len() as u32).to_le_bytes())?;
        self.file.write_all(MAGIC)?;
        Ok(self.file.flush()?)
    }

    fn write_group(&mut self) -> anyhow::Result<()> {
        let rows = std::mem::take(&mut self.rows);
        let mut chunks = Vec::new();
        for (i, column) in self.columns.iter().enumerate() {
            let data = page(rows.iter().map(|row| row[i].as_ref()), column);
            let mut header = Thrift::default();
            header.int(1, 0, I32); // DATA_PAGE
            header.int(2, data.len() as i64, I32);
            header.int(3, data.len() as i64, I32);
            header.begin(5);
            header.int(1, rows.len() as i64, I32);
            header.int(2, 0, I32); // PLAIN
            header.int(3, 3, I32); // levels: RLE
            header.int(4, 3, I32);
            header.end();
            let header = header.finish();
            self.file.write_all(&header)?;
            self.file.write_all(&data)?;
            let length = (header.len() + data.len()) as u64;
            chunks.push((self.at, length));
            self.at += length;
        }
        self.groups.push(Group { rows: rows.len(), chunks });
        Ok(())
    }

    /// `FileMetaData`.
    fn metadata(&self) -> Vec<u8> {
        let mut out = Thrift::default();
        out.int(1, 1, I32);
        out.list(2, self.columns.len() + 1, STRUCT);
        out.element(|out| {
            out.text(4, "trials");
            out.int(5, self.columns.len() as i64, I32);
        });
        for column in &self.columns {
            out.element(|out| {
                out.int(1, column.kind.code(), I32);
                out.int(3, i64::from(column.optional), I32);
                out.text(4, &column.name);
                if column.kind == Kind::Text {
                    out.int(6, 0, I32); // UTF8
                }
            });
        }
        out.int(3, self.groups.iter().map(|group| group.rows as i64).sum(), I64);
        out.list(4, self.groups.len(), STRUCT);
        for group in &self.groups {
            out.element(|out| self.group_metadata(group, out));
        }
        out.text(6, concat!("impulse ", env!("CARGO_PKG_VERSION")));
        out.finish()
    }

    /// `RowGroup`.
    fn group_metadata(&self, group: &Group, out: &mut Thrift) {
        out.list(1, group.chunks.len(), STRUCT);
        for (column, &(at, length)) in self.columns.iter().zip(&group.chunks) {
            out.element(|out| {
                out.int(2, at as i64, I64);
                out.begin(3);
                out.int(1, column.kind.code(), I32);
                out.list(2, 2, I32);
                out.varint(0);
                out.varint(6); // zigzag of 3
                out.list(3, 1, BINARY);
                out.bytes(column.name.as_bytes());
                out.int(4, 0, I32); // no compression
                out.int(5, group.rows as i64, I64);
                out.int(6, length as i64, I64);
                out.int(7, length as i64, I64);
                out.int(9, at as i64, I64);
                out.end();
            });
        }
        out.int(2, group.chunks.iter().map(|(_, length)| *length as i64).sum(), I64);
        out.int(3, group.rows as i64, I64);
    }
}

/// The bytes of a page: which values there are, where some may be missing, and the values.
fn page<'a>(cells: impl Iterator<Item = Option<&'a Cell>> + Clone, column: &Column) -> Vec<u8> {
    let mut data = Vec::new();
    if column.optional {
        let mut levels = Thrift::default();
        let present: Vec<bool> = cells.clone().map(|cell| cell.is_some()).collect();
        // One run of groups of eight, packed as bits.
        levels.varint((present.len().div_ceil(8) as u64) << 1 | 1);
        levels.0.extend(packed(&present));
        data.extend((levels.0.len() as u32).to_le_bytes());
        data.extend(levels.0);
    }
    let mut flags = Vec::new();
    for cell in cells.flatten() {
        match cell {
            Cell::Flag(flag) => flags.push(*flag),
            Cell::Integer(whole) => data.extend(whole.to_le_bytes()),
            Cell::Number(number) => data.extend(number.to_le_bytes()),
            Cell::Text(text) => {
                data.extend((text.len() as u32).to_le_bytes());
                data.extend(text.as_bytes());
            }
        }
    }
    data.extend(packed(&flags));
    data
}

/// Bits, the first lowest.
fn packed(bits: &[bool]) -> impl Iterator<Item = u8> {
    bits.chunks(8).map(|eight| eight.iter().rev().fold(0, |byte, &bit| byte << 1 | u8::from(bit)))
}

const I32: u8 = 5;
const I64: u8 = 6;
const BINARY: u8 = 8;
const LIST: u8 = 9;
const STRUCT: u8 = 12;

/// Thrift's compact protocol: the bytes so far, and the last field of every struct that is open.
#[derive(Default)]
struct Thrift(Vec<u8>, Vec<i64>, i64);

impl Thrift {
    fn field(&mut self, id: i64, kind: u8) {
        self.0.push(((id - self.2) as u8) << 4 | kind);
        self.2 = id;
    }

    fn int(&mut self, id: i64, value: i64, kind: u8) {
        self.field(id, kind);
        self.varint((value << 1 ^ value >> 63) as u64);
    }

    fn text(&mut self, id: i64, text: &str) {
        self.field(id, BINARY);
        self.bytes(text.as_bytes());
    }

    fn bytes(&mut self, bytes: &[u8]) {
        self.varint(bytes.len() as u64);
        self.0.extend(bytes);
    }

    fn list(&mut self, id: i64, length: usize, kind: u8) {
        self.field(id, LIST);
        if length < 15 {
            self.0.push((length as u8) << 4 | kind);
        } else {
            self.0.push(0xf0 | kind);
            self.varint(length as u64);
        }
    }

    /// A field that is a struct.
    fn begin(&mut self, id: i64) {
        self.field(id, STRUCT);
        self.1.push(std::mem::take(&mut self.2));
    }

    fn end(&mut self) {
        self.0.push(0);
        self.2 = self.1.pop().unwrap_or(0);
    }

    /// A struct in a list.
    fn element(&mut self, fill: impl FnOnce(&mut Self)) {
        self.1.push(std::mem::take(&mut self.2));
        fill(self);
        self.end();
    }

    fn varint(&mut self, mut value: u64) {
        while value >= 0x80 {
            self.0.push(value as u8 | 0x80);
            value >>= 7;
        }
        self.0.push(value as u8);
    }

    fn finish(mut self) -> Vec<u8> {
        self.0.push(0);
        self.0
    }
}
