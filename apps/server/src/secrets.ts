import {
  createCipheriv,
  createDecipheriv,
  createHash,
  createHmac,
  hkdfSync,
  randomBytes,
  timingSafeEqual,
} from 'node:crypto'

/**
 * AES-256-GCM with the context of the secret as associated data: a value copied to another row or company does not
 * open.
 */
export type Secrets = ReturnType<typeof createSecrets>
type StampUse =
  | 'device'
  | 'token'
  | 'refresh'
  | 'effects'
  | 'export'
  | 'reply'
  | 'leave'
  | 'leave-report'
  | 'invoice'
  | 'invoice anchor'

/** Keys derived from one master key. */
function deriveKeys(masterKey: Buffer) {
  const derive = (use: string) => Buffer.from(hkdfSync('sha256', masterKey, '', `voisol ${use}`, 32))
  const sealing = derive('seal')
  const signing = derive('audit')
  const hmac = (key: Buffer, text: string) => createHmac('sha256', key).update(text)
  return {
    seal(text: string, place: string): string {
      const iv = randomBytes(12)
      const cipher = createCipheriv('aes-256-gcm', sealing, iv).setAAD(Buffer.from(place))
      const body = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()])
      return Buffer.concat([iv, cipher.getAuthTag(), body]).toString('base64')
    },
    open(sealed: string, place: string): string {
      const raw = Buffer.from(sealed, 'base64')
      const decipher = createDecipheriv('aes-256-gcm', sealing, raw.subarray(0, 12)).setAAD(Buffer.from(place))
      decipher.setAuthTag(raw.subarray(12, 28))
      return Buffer.concat([decipher.update(raw.subarray(28)), decipher.final()]).toString('utf8')
    },
    sign: (text: string) => hmac(signing, text).digest(),
    stamp: (use: StampUse, text: string) => hmac(derive(`stamp ${use}`), text).digest('base64url'),
    print: (text: string, use: 'iban') => hmac(derive(`print ${use}`), text).digest('base64url'),
    archiveSeed: () => derive('seed of company archives'),
  }
}
type DerivedKeys = ReturnType<typeof deriveKeys>

/** Whether these keys sealed the value. */
function canOpen(keys: DerivedKeys, sealed: string, place: string): boolean {
  try {
    keys.open(sealed, place)
    return true
  } catch {
    return false
  }
}

/** New values use `masterKey`; those sealed or signed by a former key stay readable, latest key first. */
export function createSecrets(masterKey: Buffer, former: Buffer[] = []) {
  const current = deriveKeys(masterKey)
  const earlier = former.map(deriveKeys)
  const all = [current, ...earlier]
  return {
    seal: current.seal,
    open(sealed: string, place: string): string {
      const keys = earlier.length ? all.find((one) => canOpen(one, sealed, place)) : current
      return (keys ?? current).open(sealed, place)
    },
    /** Sealed by a former key: it opens, and should be sealed again. */
    isOld: (sealed: string, place: string) => earlier.some((one) => canOpen(one, sealed, place)),
    sign: current.sign,
    /** The signature by each key, the current one first. */
    signs: (text: string) => all.map(({ sign }) => sign(text)),
    /** A MAC for one use: a stamp of another use is not valid for it. */
    stamp: current.stamp,
    /** By each key, so that what was sent before a key change stays valid. */
    stamps: (use: StampUse, text: string) => all.map(({ stamp }) => stamp(use, text)),
    /** A keyed fingerprint, to recognise a text without storing it: equal texts of one use have equal prints. */
    print: current.print,
    /** The seeds of the archive signing key, for the current and former master keys. */
    archiveSeeds: () => all.map(({ archiveSeed }) => archiveSeed()),
  }
}

/** Whether the given value is one of our stamps. */
export function isValidStamp(own: string[], given: string): boolean {
  const bytes = Buffer.from(given)
  return own.map((one) => Buffer.from(one)).some((one) => one.length === bytes.length && timingSafeEqual(one, bytes))
}

export const sha256 = (text: string | Uint8Array) => createHash('sha256').update(text).digest()
/** 256 random bits, for links, sessions and refresh tokens. Only the hash is stored. */
export const generateToken = () => randomBytes(32).toString('base64url')
