//! Kernels in C and what they take, and the program's variables, from the DWARF in an executable (CC-060 to CC-062).

use gimli::{AttributeValue, DebuggingInformationEntry, EndianSlice, LittleEndian, UnitOffset};
use object::{Object, ObjectSection};

type Reader<'a> = EndianSlice<'a, LittleEndian>;
type Entry<'a, 'b, 'c> = DebuggingInformationEntry<'b, 'c, Reader<'a>>;

/// What a program says of itself.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Signature {
    /// `kernel` and those of WEFT_KERNEL, by name.
    pub kernels: Vec<Kernel>,
    /// Those that are not static, each with its name, as fields at offset 0; by name.
    pub variables: Vec<Field>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Kernel {
    pub name: String,
    /// CC-061; an error says why a host cannot give them.
    pub parameters: Result<Parameters, String>,
}

/// What stands behind thread number and number of threads.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Parameters {
    None,
    /// The launch's argument itself, of at most 4 bytes.
    Word(Field),
    /// Members of the struct that the launch's argument is the address of; its bytes.
    Struct(u32, Vec<Field>),
}

/// A parameter, a member of a struct, or a variable.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Field {
    pub name: String,
    /// As C writes it: `const float *`.
    pub type_name: String,
    /// Bytes from the beginning of the struct.
    pub offset: u32,
    /// Bytes.
    pub size: u32,
    pub kind: FieldKind,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum FieldKind {
    Scalar(Scalar),
    /// An array of scalars, with its sides, the outermost first.
    Array(Scalar, Vec<u32>),
    /// To these; `None`: to something else, such as `void` or a struct.
    Pointer {
        to: Option<Scalar>,
        is_const: bool,
    },
    /// A struct, a union, or anything else: its bytes.
    Bytes,
}

/// A number in memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Scalar {
    pub class: Class,
    /// Bytes.
    pub size: u32,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Class {
    Signed,
    Unsigned,
    Float,
    Bool,
}

/// Of an ELF executable. Without DWARF, or of a function that it does not describe, nothing is known.
pub fn of_elf(elf: &[u8]) -> Signature {
    let mut signature = read(elf).unwrap_or_default();
    signature.kernels.sort_by(|a, b| a.name.cmp(&b.name));
    signature.kernels.dedup_by(|a, b| a.name == b.name);
    signature.variables.sort_by(|a, b| a.name.cmp(&b.name));
    signature.variables.dedup_by(|a, b| a.name == b.name);
    signature
}

fn read(elf: &[u8]) -> Option<Signature> {
    let file = object::File::parse(elf).ok()?;
    let section = |id: gimli::SectionId| -> Result<Reader, gimli::Error> {
        let section = file.section_by_name(id.name());
        let data = section.and_then(|s| s.data().ok()).unwrap_or_default();
        Ok(EndianSlice::new(data, LittleEndian))
    };
    let dwarf = gimli::Dwarf::load(section).ok()?;
    let mut signature = Signature::default();
    let mut headers = dwarf.units();
    while let Ok(Some(header)) = headers.next() {
        let unit = dwarf.unit(header).ok()?;
        let of = Of {
            dwarf: &dwarf,
            unit: &unit,
        };
        let mut tree = unit.entries_tree(None).ok()?;
        let mut children = tree.root().ok()?.children();
        while let Ok(Some(child)) = children.next() {
            let offset = child.entry().offset();
            match child.entry().tag() {
                gimli::DW_TAG_subprogram => signature.kernels.extend(of.kernel(offset)),
                gimli::DW_TAG_variable => signature.variables.extend(of.variable(child.entry())),
                _ => {}
            }
        }
    }
    Some(signature)
}

/// Entries of a unit.
struct Of<'a, 'u> {
    dwarf: &'u gimli::Dwarf<Reader<'a>>,
    unit: &'u gimli::Unit<Reader<'a>>,
}

/// What a type comes to behind its names and qualifiers.
enum Type {
    Field(FieldKind, u32),
    /// Where its members stand.
    Struct(UnitOffset, u32),
    /// In words.
    Other(&'static str),
}

impl<'a> Of<'a, '_> {
    fn name(&self, entry: &Entry<'a, '_, '_>) -> Option<String> {
        let name = entry.attr_value(gimli::DW_AT_name).ok()??;
        let name = self.dwarf.attr_string(self.unit, name).ok()?;
        Some(name.to_string_lossy().into_owned())
    }

    fn number(entry: &Entry<'a, '_, '_>, of: gimli::DwAt) -> Option<u32> {
        let value = entry.attr_value(of).ok()??;
        u32::try_from(value.udata_value()?).ok()
    }

    fn has(entry: &Entry<'a, '_, '_>, flag: gimli::DwAt) -> bool {
        matches!(entry.attr_value(flag), Ok(Some(AttributeValue::Flag(true))))
    }

    /// The type of an entry; `None`: `void`.
    fn type_of(entry: &Entry<'a, '_, '_>) -> Option<UnitOffset> {
        match entry.attr_value(gimli::DW_AT_type).ok()?? {
            AttributeValue::UnitRef(offset) => Some(offset),
            _ => None,
        }
    }

    /// Names and types of what stands directly below an entry.
    fn members(&self, of: UnitOffset, tag: gimli::DwTag) -> Vec<(UnitOffset, Option<String>)> {
        let mut found = Vec::new();
        let Ok(mut tree) = self.unit.entries_tree(Some(of)) else {
            return found;
        };
        let Ok(root) = tree.root() else {
            return found;
        };
        let mut children = root.children();
        while let Ok(Some(child)) = children.next() {
            if child.entry().tag() == tag {
                found.push((child.entry().offset(), self.name(child.entry())));
            }
        }
        found
    }

    /// CC-060: a function that is defined, not static, and a kernel by its name.
    fn kernel(&self, offset: UnitOffset) -> Option<Kernel> {
        let entry = self.unit.entry(offset).ok()?;
        let function = self.name(&entry)?;
        let name = match function.strip_prefix("weft_body_") {
            Some(name) => name,
            None if function == "kernel" => "kernel",
            None => return None,
        };
        if !Self::has(&entry, gimli::DW_AT_external) || Self::has(&entry, gimli::DW_AT_declaration)
        {
            return None;
        }
        Some(Kernel {
            name: name.into(),
            parameters: self.parameters(offset),
        })
    }

    /// CC-061
    fn parameters(&self, kernel: UnitOffset) -> Result<Parameters, String> {
        let all = self.members(kernel, gimli::DW_TAG_formal_parameter);
        for (parameter, name) in all.iter().take(2) {
            let what = "thread number and number of threads come first, as two of `unsigned`";
            let name = name.as_deref().unwrap_or("?");
            let entry = self.unit.entry(*parameter);
            let of = entry.ok().map(|entry| self.follow(Self::type_of(&entry)));
            let Some(Type::Field(FieldKind::Scalar(scalar), 4)) = of else {
                return Err(format!("parameter `{name}`: {what}"));
            };
            if !matches!(scalar.class, Class::Signed | Class::Unsigned) {
                return Err(format!("parameter `{name}`: {what}"));
            }
        }
        let (parameter, name) = match all.as_slice() {
            [] | [_] | [_, _] => return Ok(Parameters::None),
            [_, _, third] => third,
            _ => {
                return Err(
                    "more than three parameters: a launch has one argument, which may point to a struct".into(),
                )
            }
        };
        let name = name.clone().unwrap_or_default();
        let entry = self.unit.entry(*parameter);
        let entry = entry.map_err(|error| error.to_string())?;
        let of = Self::type_of(&entry);
        if let Some((structure, size)) = self.pointee(of) {
            return match self.tag_name(structure).as_deref() {
                Some("weft_queue") => Err(format!(
                    "`{name}`: a work queue: kernels that launch kernels need a host of their own"
                )),
                _ => self
                    .fields(structure)
                    .map(|fields| Parameters::Struct(size, fields)),
            };
        }
        let field = self.field(name.clone(), of, 0)?;
        match (&field.kind, field.size) {
            (FieldKind::Scalar(_) | FieldKind::Pointer { .. }, 0..=4) => {
                Ok(Parameters::Word(field))
            }
            _ => Err(format!(
                "`{name}`: {} does not fit into the argument of a launch, 4 bytes",
                field.type_name
            )),
        }
    }

    /// The struct that is pointed to, and its bytes.
    fn pointee(&self, of: Option<UnitOffset>) -> Option<(UnitOffset, u32)> {
        let pointer = self.plain(of)?;
        let entry = self.unit.entry(pointer).ok()?;
        if entry.tag() != gimli::DW_TAG_pointer_type {
            return None;
        }
        match self.follow(Self::type_of(&entry)) {
            Type::Struct(at, size) => Some((at, size)),
            _ => None,
        }
    }

    fn tag_name(&self, at: UnitOffset) -> Option<String> {
        self.name(&self.unit.entry(at).ok()?)
    }

    fn fields(&self, structure: UnitOffset) -> Result<Vec<Field>, String> {
        let mut fields = Vec::new();
        for (member, name) in self.members(structure, gimli::DW_TAG_member) {
            let entry = self.unit.entry(member);
            let entry = entry.map_err(|error| error.to_string())?;
            let Some(name) = name else {
                return Err(
                    "a struct or union without a name in the struct of the arguments".into(),
                );
            };
            let bits = [gimli::DW_AT_bit_size, gimli::DW_AT_data_bit_offset];
            if bits.iter().any(|&of| Self::number(&entry, of).is_some()) {
                return Err(format!(
                    "`{name}`: a bit-field in the struct of the arguments"
                ));
            }
            let offset = Self::number(&entry, gimli::DW_AT_data_member_location).unwrap_or(0);
            fields.push(self.field(name, Self::type_of(&entry), offset)?);
        }
        Ok(fields)
    }

    fn field(&self, name: String, of: Option<UnitOffset>, offset: u32) -> Result<Field, String> {
        let type_name = self.type_name(of);
        let (kind, size) = match self.follow(of) {
            Type::Field(kind, size) => (kind, size),
            Type::Struct(_, size) => (FieldKind::Bytes, size),
            Type::Other(what) => return Err(format!("`{name}`: {what}")),
        };
        Ok(Field {
            name,
            type_name,
            offset,
            size,
            kind,
        })
    }

    /// CC-062: in global memory, and not static.
    fn variable(&self, entry: &Entry<'a, '_, '_>) -> Option<Field> {
        if !Self::has(entry, gimli::DW_AT_external) || Self::has(entry, gimli::DW_AT_declaration) {
            return None;
        }
        let name = self.name(entry).filter(|name| !name.starts_with("weft_"))?;
        let place = entry.attr_value(gimli::DW_AT_location).ok()??;
        let mut operations = place.exprloc_value()?.operations(self.unit.encoding());
        let address = match operations.next().ok()?? {
            gimli::Operation::Address { address } => address,
            gimli::Operation::AddressIndex { index } => {
                self.dwarf.address(self.unit, index).ok()?
            }
            _ => return None,
        };
        // Clang puts several variables into one. Anything else that follows is a thread's own variable; from the scratchpad
        // on it is each CTA's; at 0 stands what the linker has left out.
        let alone = match operations.next().ok()? {
            Some(gimli::Operation::PlusConstant { .. }) => operations.next().ok()?.is_none(),
            other => other.is_none(),
        };
        let image = u64::from(weft_isa::IMAGE_BASE)..u64::from(crate::SCRATCHPAD);
        if !alone || !image.contains(&address) {
            return None;
        }
        self.field(name, Self::type_of(entry), 0).ok()
    }

    /// The type behind typedefs and qualifiers; `None`: `void`.
    fn plain(&self, mut of: Option<UnitOffset>) -> Option<UnitOffset> {
        loop {
            let entry = self.unit.entry(of?).ok()?;
            match entry.tag() {
                gimli::DW_TAG_typedef
                | gimli::DW_TAG_const_type
                | gimli::DW_TAG_volatile_type
                | gimli::DW_TAG_restrict_type
                | gimli::DW_TAG_atomic_type => of = Self::type_of(&entry),
                _ => return of,
            }
        }
    }

    fn follow(&self, of: Option<UnitOffset>) -> Type {
        let Some(at) = self.plain(of) else {
            return Type::Other("void is no value");
        };
        let Ok(entry) = self.unit.entry(at) else {
            return Type::Other("its type is not described");
        };
        let size = Self::number(&entry, gimli::DW_AT_byte_size);
        let bytes = |size: Option<u32>| match size {
            Some(size) => Type::Field(FieldKind::Bytes, size),
            None => Type::Other("its type is only declared"),
        };
        match entry.tag() {
            gimli::DW_TAG_base_type => match (Self::scalar(&entry), size) {
                (Some(scalar), _) => Type::Field(FieldKind::Scalar(scalar), scalar.size),
                (None, size) => bytes(size),
            },
            gimli::DW_TAG_enumeration_type => {
                let scalar = Scalar {
                    class: Class::Unsigned,
                    size: size.unwrap_or(4),
                };
                let of = self.plain(Self::type_of(&entry));
                let of = of.and_then(|at| Self::scalar(&self.unit.entry(at).ok()?));
                let scalar = of.unwrap_or(scalar);
                Type::Field(FieldKind::Scalar(scalar), scalar.size)
            }
            gimli::DW_TAG_pointer_type => {
                let to = Self::type_of(&entry);
                let kind = FieldKind::Pointer {
                    to: match self.follow(to) {
                        Type::Field(FieldKind::Scalar(scalar), _) => Some(scalar),
                        Type::Field(FieldKind::Array(scalar, _), _) => Some(scalar),
                        _ => None,
                    },
                    is_const: self.is_const(to),
                };
                Type::Field(kind, size.unwrap_or(4))
            }
            gimli::DW_TAG_structure_type | gimli::DW_TAG_class_type => match size {
                Some(size) => Type::Struct(at, size),
                None => bytes(None),
            },
            gimli::DW_TAG_array_type => self.array(&entry, at),
            gimli::DW_TAG_union_type => bytes(size),
            _ => Type::Other("a type that no host can give"),
        }
    }

    fn scalar(entry: &Entry<'a, '_, '_>) -> Option<Scalar> {
        let encoding = match entry.attr_value(gimli::DW_AT_encoding).ok()?? {
            AttributeValue::Encoding(encoding) => encoding,
            _ => return None,
        };
        let class = match encoding {
            gimli::DW_ATE_signed | gimli::DW_ATE_signed_char => Class::Signed,
            gimli::DW_ATE_unsigned | gimli::DW_ATE_unsigned_char | gimli::DW_ATE_UTF => {
                Class::Unsigned
            }
            gimli::DW_ATE_float => Class::Float,
            gimli::DW_ATE_boolean => Class::Bool,
            _ => return None,
        };
        let size = Self::number(entry, gimli::DW_AT_byte_size)?;
        Some(Scalar { class, size })
    }

    fn array(&self, entry: &Entry<'a, '_, '_>, at: UnitOffset) -> Type {
        let mut sides = Vec::new();
        for (side, _) in self.members(at, gimli::DW_TAG_subrange_type) {
            let Ok(side) = self.unit.entry(side) else {
                return Type::Other("its type is not described");
            };
            let count = Self::number(&side, gimli::DW_AT_count);
            let last = Self::number(&side, gimli::DW_AT_upper_bound);
            match count.or(last.and_then(|last| last.checked_add(1))) {
                Some(count) => sides.push(count),
                None => return Type::Other("an array of no size"),
            }
        }
        let (element, size, inner) = match self.follow(Self::type_of(entry)) {
            Type::Field(FieldKind::Scalar(scalar), size) => (Some(scalar), size, Vec::new()),
            // By a typedef.
            Type::Field(FieldKind::Array(scalar, inner), size) => (Some(scalar), size, inner),
            Type::Field(_, size) | Type::Struct(_, size) => (None, size, Vec::new()),
            Type::Other(what) => return Type::Other(what),
        };
        let size = sides
            .iter()
            .try_fold(size, |all, side| all.checked_mul(*side));
        let Some(size) = size else {
            return Type::Other("an array that is larger than memory");
        };
        sides.extend(inner);
        match element {
            Some(scalar) => Type::Field(FieldKind::Array(scalar, sides), size),
            None => Type::Field(FieldKind::Bytes, size),
        }
    }

    /// Through typedefs, too: `typedef const float *in;` points to what is not written.
    fn is_const(&self, mut of: Option<UnitOffset>) -> bool {
        while let Some(entry) = of.and_then(|at| self.unit.entry(at).ok()) {
            match entry.tag() {
                gimli::DW_TAG_const_type => return true,
                gimli::DW_TAG_typedef
                | gimli::DW_TAG_volatile_type
                | gimli::DW_TAG_restrict_type
                | gimli::DW_TAG_array_type => of = Self::type_of(&entry),
                _ => return false,
            }
        }
        false
    }

    /// As C writes it, without the sides of arrays.
    fn type_name(&self, of: Option<UnitOffset>) -> String {
        let Some(entry) = of.and_then(|at| self.unit.entry(at).ok()) else {
            return "void".into();
        };
        let inner = Self::type_of(&entry);
        let named = || self.name(&entry).unwrap_or_else(|| "…".into());
        match entry.tag() {
            gimli::DW_TAG_const_type => match self.plain_tag(inner) {
                Some(gimli::DW_TAG_pointer_type) => format!("{} const", self.type_name(inner)),
                _ => format!("const {}", self.type_name(inner)),
            },
            gimli::DW_TAG_volatile_type => format!("volatile {}", self.type_name(inner)),
            gimli::DW_TAG_restrict_type | gimli::DW_TAG_atomic_type => self.type_name(inner),
            gimli::DW_TAG_pointer_type => format!("{} *", self.type_name(inner)),
            gimli::DW_TAG_structure_type => format!("struct {}", named()),
            gimli::DW_TAG_union_type => format!("union {}", named()),
            gimli::DW_TAG_enumeration_type => format!("enum {}", named()),
            gimli::DW_TAG_array_type => format!("{}[]", self.type_name(inner)),
            _ => named(),
        }
    }

    fn plain_tag(&self, of: Option<UnitOffset>) -> Option<gimli::DwTag> {
        Some(self.unit.entry(of?).ok()?.tag())
    }
}
