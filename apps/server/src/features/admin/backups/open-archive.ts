import { createHash } from 'node:crypto'
import { type ReadableZipEntry, readZip, ZipError } from '../../../files/zip.ts'
import {
  ARCHIVE_FORMAT,
  ArchiveDescription,
  COMPANY_FILE,
  CompanyName,
  DESCRIPTION_FILE,
  DIGESTS_FILE,
  Digests,
  isSignedBy,
  MAX_ENTRIES,
  MAX_PART_BYTES,
  MAX_RATIO,
  parseEntryHash,
  parseEntryTable,
  SIGNATURE_FILE,
  Signature,
  SMALL_ENTRY_BYTES,
} from './archive-format.ts'
import { CopyFault } from './copy-format.ts'

export type TrustedKey = { name: string; publicKey: string }
export type OpenArchive = {
  /** The size of the ZIP file as it was uploaded, before anything is unpacked. */
  bytes: number
  company: string
  madeOn: string | null
  version: string
  /** Who signed it, of those that are trusted. */
  signedBy: string | null
  digests: Digests['entries']
  /** The parts of a table, in their order. */
  parts: (table: string) => ReadableZipEntry[]
  tables: string[]
  content: (sha256: string) => ReadableZipEntry | undefined
  /** An entry unpacked, within its limits and held against the signature. */
  unpack: (file: ReadableZipEntry, maxBytes: number) => Buffer
}

const NOT_AN_ARCHIVE =
  'Ce fichier n’est pas une copie d’organisation faite par Voisol, ou il est abîmé\u00a0: rien n’a été repris.'
const ARCHIVE_MODIFIED = 'Cette archive a été modifiée depuis sa signature\u00a0: rien n’a été repris.'

function unpackEntry(file: ReadableZipEntry, maxBytes: number): Buffer {
  if (file.size > maxBytes || (file.size > SMALL_ENTRY_BYTES && file.size > file.packed * MAX_RATIO))
    throw new CopyFault(`${file.name} est trop grand une fois décompressé\u00a0: rien n’a été repris.`)
  try {
    return file.read()
  } catch (error) {
    throw new CopyFault(`${file.name} ne se lit pas\u00a0: rien n’a été repris.`, { cause: error })
  }
}

function listEntries(zip: Buffer): Map<string, ReadableZipEntry> {
  const entries = new Map<string, ReadableZipEntry>()
  for (const file of readZip(zip, MAX_ENTRIES)) {
    if (entries.has(file.name)) throw new ZipError('two files of one name')
    entries.set(file.name, file)
  }
  return entries
}

function readJson(entries: Map<string, ReadableZipEntry>, name: string): unknown {
  const file = entries.get(name)
  return file && JSON.parse(unpackEntry(file, MAX_PART_BYTES).toString())
}

/** Whose signature covers the digests, where it is one that is trusted. */
function readSignature(entries: Map<string, ReadableZipEntry>, trusted: TrustedKey[]) {
  const none = { signedBy: null, digests: {} }
  const file = entries.get(DIGESTS_FILE)
  const signature = Signature.safeParse(readJson(entries, SIGNATURE_FILE))
  if (!file || !signature.success) return none
  const text = unpackEntry(file, MAX_PART_BYTES).toString()
  const signer = trusted.find(({ publicKey }) => publicKey === signature.data.publicKey)
  if (!signer || !isSignedBy(text, signature.data)) return none
  return { signedBy: signer.name, digests: Digests.parse(JSON.parse(text)).entries }
}

function readArchive(zip: Buffer, trusted: TrustedKey[]): OpenArchive {
  const entries = listEntries(zip)
  const about = ArchiveDescription.parse(readJson(entries, DESCRIPTION_FILE))
  if (about.format > ARCHIVE_FORMAT)
    throw new CopyFault(`Cette copie vient d’une version plus récente de Voisol (${about.version}).`)
  const { signedBy, digests } = readSignature(entries, trusted)
  if (signedBy !== null && Object.keys(digests).some((name) => !entries.has(name)))
    throw new CopyFault(ARCHIVE_MODIFIED)
  const names = [...entries.keys()].sort()
  const byTable = Map.groupBy(names, (name) => parseEntryTable(name) ?? '')
  byTable.delete('')
  const contents = new Map(names.map((name) => [parseEntryHash(name) ?? '', name]))
  const find = (name: string | undefined) => (name === undefined ? undefined : entries.get(name))
  const unpack = (file: ReadableZipEntry, maxBytes: number) => {
    const content = unpackEntry(file, maxBytes)
    if (signedBy !== null && digests[file.name]?.sha256 !== createHash('sha256').update(content).digest('hex'))
      throw new CopyFault(ARCHIVE_MODIFIED)
    return content
  }
  const description = find(DESCRIPTION_FILE)
  if (description) unpack(description, MAX_PART_BYTES)
  const company = find(COMPANY_FILE)
  return {
    bytes: zip.length,
    company: company ? CompanyName.parse(JSON.parse(unpack(company, SMALL_ENTRY_BYTES).toString())).name : '',
    madeOn: about.madeOn ?? null,
    version: about.version,
    signedBy,
    digests,
    parts: (table) => (byTable.get(table) ?? []).flatMap((name) => find(name) ?? []),
    tables: [...byTable.keys()],
    content: (sha256) => find(contents.get(sha256)),
    unpack,
  }
}

/** An archive of a company, listed within limits; nothing but its own description is unpacked yet. */
export function openArchive(zip: Buffer, trusted: TrustedKey[]): OpenArchive {
  try {
    return readArchive(zip, trusted)
  } catch (error) {
    throw error instanceof CopyFault ? error : new CopyFault(NOT_AN_ARCHIVE, { cause: error })
  }
}
