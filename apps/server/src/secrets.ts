import {
  createCipheriv,
  createDecipheriv,
  createHash,
  createHmac,
  hkdfSync,
  randomBytes,
  timingSafeEqual,
} from 'node:crypto'

/** AES-256-GCM with the place of the secret as associated data: a value copied to another row or company does not open. */
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

/** What is derived from one master key. */
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

/** Whether these keys sealed it. */
function canOpen(keys: DerivedKeys, sealed: string, place: string): boolean {
  try {
    keys.open(sealed, place)
    return true
  } catch {
    return false
  }
}

/** Everything new is of `masterKey`; what a former key sealed or signed is still read, the latest of them first. */
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
    /** Sealed by a former key: it opens, and should be sealed anew. */
    isOld: (sealed: string, place: string) => earlier.some((one) => canOpen(one, sealed, place)),
    sign: current.sign,
    /** As it would have been signed by each key, the current one first. */
    signs: (text: string) => all.map(({ sign }) => sign(text)),
    /** What only this server can write for that use: nothing of another use passes for it. */
    stamp: current.stamp,
    /** The same of each key: what was sent out before the key was changed is still ours. */
    stamps: (use: StampUse, text: string) => all.map(({ stamp }) => stamp(use, text)),
    /** What a text is known by again without being kept: equal texts of one use give equal prints, and only here. */
    print: current.print,
    /** What the key that signs archives of companies is made of, and those of former master keys behind it. */
    archiveSeeds: () => all.map(({ archiveSeed }) => archiveSeed()),
  }
}

/** Whether what was given is one of our own stamps of it. */
export function isValidStamp(own: string[], given: string): boolean {
  const bytes = Buffer.from(given)
  return own.map((one) => Buffer.from(one)).some((one) => one.length === bytes.length && timingSafeEqual(one, bytes))
}

export const sha256 = (text: string | Uint8Array) => createHash('sha256').update(text).digest()
/** 256 bits: what a link, a session or a refresh is proved with. Only its hash is stored. */
export const generateToken = () => randomBytes(32).toString('base64url')
