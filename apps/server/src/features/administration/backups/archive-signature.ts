import { createPrivateKey, createPublicKey, type KeyObject, sign, verify } from 'node:crypto'
import type { Secrets } from '../../../secrets.ts'

/** What stands before the bytes of an Ed25519 key where Node takes one: PKCS #8 for the seed, SPKI for the public key. */
const PRIVATE_HEAD = Buffer.from('302e020100300506032b657004220420', 'hex')
const PUBLIC_HEAD = Buffer.from('302a300506032b6570032100', 'hex')
/** A signature of ours on anything else is none on an archive. */
const PURPOSE = 'voisol company archive\n'

const toSignedBytes = (text: string) => Buffer.from(PURPOSE + text)
const toPrivateKey = (seed: Buffer) =>
  createPrivateKey({ key: Buffer.concat([PRIVATE_HEAD, seed]), format: 'der', type: 'pkcs8' })
const toPublicKey = (base64: string) =>
  createPublicKey({ key: Buffer.concat([PUBLIC_HEAD, Buffer.from(base64, 'base64')]), format: 'der', type: 'spki' })
const exportPublicKey = (key: KeyObject) =>
  createPublicKey(key).export({ format: 'der', type: 'spki' }).subarray(PUBLIC_HEAD.length).toString('base64')

/** By which archives of this installation are known: its present key first, then those of former master keys. */
export const getOwnPublicKeys = (secrets: Secrets): string[] =>
  secrets.archiveSeeds().map((seed) => exportPublicKey(toPrivateKey(seed)))

export type ArchiveSignature = { publicKey: string; signature: string }

export function signArchive(secrets: Secrets, text: string): ArchiveSignature {
  const [seed] = secrets.archiveSeeds()
  if (!seed) throw new Error('no key signs archives')
  const key = toPrivateKey(seed)
  return { publicKey: exportPublicKey(key), signature: sign(null, toSignedBytes(text), key).toString('base64') }
}

export function isSignedBy(text: string, { publicKey, signature }: ArchiveSignature): boolean {
  try {
    return verify(null, toSignedBytes(text), toPublicKey(publicKey), Buffer.from(signature, 'base64'))
  } catch {
    return false
  }
}
