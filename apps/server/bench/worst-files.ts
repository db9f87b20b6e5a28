import { crc32, deflateRawSync } from 'node:zlib'

const text = (value: string) => new Uint8Array(Buffer.from(value))

/** A line of so many columns. */
export const wideFile = (columns: number) =>
  text(`PRM;Nom;${Array.from({ length: columns }, (_, n) => `c${n}`).join(';')}\n1;a\n`)

/** Marks that open and never close are looked at again from each other. */
export const tangledText = (n: number, stars: number) => `${'*'.repeat(stars)}${n}${'*'.repeat(stars)}`

/** A year of quarter hours for some hundred consumers, twice as large as any real one. */
export function coefficients(points: number): Uint8Array {
  const prms = Array.from({ length: points }, (_, n) => String(10_000_000_000_000 + n))
  const lines = [`Horodate;${prms.join(';')}`]
  const row = prms.map(() => '0,1').join(';')
  // As many days as fit.
  for (let day = 1; day <= 28 && lines.length * row.length < 19_000_000; day++)
    for (let at = 0; at < 96 && lines.length * row.length < 19_000_000; at++) {
      const [hour, minute] = [Math.floor(at / 4), (at % 4) * 15].map((part) => String(part).padStart(2, '0'))
      lines.push(`2025-02-${String(day).padStart(2, '0')}T${hour}:${minute}:00+01:00;${row}`)
    }
  return text(lines.join('\n')).slice(0, 19_900_000)
}

/** A workbook whose sheet weighs a thousand times what it shows. */
export function bomb(sheetBytes: number): Uint8Array {
  const parts = ['[Content_Types].xml', 'xl/workbook.xml', 'xl/worksheets/sheet1.xml']
  const locals: Buffer[] = []
  const entries: Buffer[] = []
  let offset = 0
  for (const name of parts) {
    const content = Buffer.alloc(name.includes('sheet1') ? sheetBytes : 100, '<c>')
    const packed = deflateRawSync(content)
    const sizes = Buffer.alloc(12)
    sizes.writeUInt32LE(crc32(content), 0)
    sizes.writeUInt32LE(packed.length, 4)
    sizes.writeUInt32LE(content.length, 8)
    const length = Buffer.alloc(4)
    length.writeUInt16LE(name.length, 0)
    const shared = Buffer.concat([Buffer.from([20, 0, 0, 0, 8, 0, 0, 0, 0, 0]), sizes, length])
    const local = Buffer.concat([Buffer.from('PK\x03\x04'), shared, Buffer.from(name), packed])
    const where = Buffer.alloc(14)
    where.writeUInt32LE(offset, 10)
    entries.push(Buffer.concat([Buffer.from('PK\x01\x02\x14\0', 'latin1'), shared, where, Buffer.from(name)]))
    locals.push(local)
    offset += local.length
  }
  const directory = Buffer.concat(entries)
  const end = Buffer.alloc(22)
  end.writeUInt32LE(0x06054b50, 0)
  end.writeUInt16LE(parts.length, 8)
  end.writeUInt16LE(parts.length, 10)
  end.writeUInt32LE(directory.length, 12)
  end.writeUInt32LE(offset, 16)
  return new Uint8Array(Buffer.concat([...locals, directory, end]))
}
