import { generateKeyPairSync, sign } from 'node:crypto'
import { crc32, inflateRawSync } from 'node:zlib'

type Entry = { name: string; content: Buffer }

/** The entries of an archive by the list at its end. */
function unzip(zip: Buffer): Entry[] {
  const end = zip.lastIndexOf(Buffer.from('PK\x05\x06', 'latin1'))
  const entries: Entry[] = []
  let at = zip.readUInt32LE(end + 16)
  for (let left = zip.readUInt16LE(end + 10); left > 0; left -= 1) {
    const nameBytes = zip.readUInt16LE(at + 28)
    const head = zip.readUInt32LE(at + 42)
    const from = head + 30 + zip.readUInt16LE(head + 26) + zip.readUInt16LE(head + 28)
    const packed = zip.subarray(from, from + zip.readUInt32LE(at + 20))
    entries.push({
      name: zip.toString('utf8', at + 46, at + 46 + nameBytes),
      content: zip.readUInt16LE(at + 10) === 8 ? inflateRawSync(packed) : packed,
    })
    at += 46 + nameBytes + zip.readUInt16LE(at + 30) + zip.readUInt16LE(at + 32)
  }
  return entries
}

const numbers = (...pairs: [value: number, bytes: 2 | 4][]) =>
  Buffer.concat(
    pairs.map(([value, bytes]) => {
      const part = Buffer.alloc(bytes)
      part.writeUIntLE(value, 0, bytes)
      return part
    }),
  )

/** The same, packed by another program than Voisol: nothing in it is compressed. */
function zip(entries: Entry[]): Buffer {
  const bodies: Buffer[] = []
  const list: Buffer[] = []
  let place = 0
  for (const { name, content } of entries) {
    const path = Buffer.from(name)
    const [version, utf8, stored, time, day] = [20, 0x800, 0, 0, 0x21]
    const facts = numbers(
      ...([version, utf8, stored, time, day].map((value) => [value, 2]) as [number, 2][]), // of two bytes each
      [crc32(content), 4],
      [content.length, 4],
      [content.length, 4],
      [path.length, 2],
      [0, 2],
    )
    const body = Buffer.concat([numbers([0x04034b50, 4]), facts, path, content])
    list.push(numbers([0x02014b50, 4], [version, 2]), facts, numbers([0, 2], [0, 2], [0, 2], [0, 4], [place, 4]), path)
    bodies.push(body)
    place += body.length
  }
  const directory = Buffer.concat(list)
  const count = entries.length
  const end = numbers([0x06054b50, 4], [0, 4], [count, 2], [count, 2], [directory.length, 4], [place, 4], [0, 2])
  return Buffer.concat([...bodies, directory, end])
}

/** A copy of a company with the text of one of its entries changed after it was signed. */
export const changeEntry = (archive: Buffer, name: RegExp, change: (text: string) => string) =>
  zip(
    unzip(archive).map((entry) =>
      name.test(entry.name) ? { ...entry, content: Buffer.from(change(entry.content.toString())) } : entry,
    ),
  )

/** The keys of another installation, with the text by which it is known. */
export function makeInstallation() {
  const { publicKey, privateKey } = generateKeyPairSync('ed25519')
  return { privateKey, publicKey: publicKey.export({ format: 'der', type: 'spki' }).subarray(-32).toString('base64') }
}

/** The same copy as that installation would have signed it. */
export function signElsewhere(archive: Buffer, { privateKey, publicKey }: ReturnType<typeof makeInstallation>): Buffer {
  const entries = unzip(archive)
  const digests = entries.find(({ name }) => name === 'empreintes.json')?.content ?? Buffer.of()
  const signature = sign(null, Buffer.concat([Buffer.from('voisol company archive\n'), digests]), privateKey)
  const content = Buffer.from(JSON.stringify({ publicKey, signature: signature.toString('base64') }))
  return zip(entries.map((entry) => (entry.name === 'signature.json' ? { ...entry, content } : entry)))
}
