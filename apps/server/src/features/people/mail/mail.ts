import type { Mail } from '../../../adapters/mail/mail.ts'
import type { Db } from '../../../db/client.ts'
import { enqueue } from '../../../jobs/queue.ts'
import type { Secrets } from '../../../secrets.ts'

export { brandUrl, mailBrandOf, mailBrandOfPerson } from '../../../core/mail-brand.ts'
export { publicUrl } from '../../../core/public-url.ts'
export { mailLayout, PICTURE_WIDTH } from './layout.ts'
export { inlined, type Picture, pictureParts } from './picture.ts'
export { greeting, visitorFooter } from './visitor.ts'

export const MAIL_PLACE = 'mail'

type Options = {
  id?: string
  /** Whose message it is: it leaves by the company's own sender where there is one. */
  companyId?: number
  /**
   * Sends by the installation's own sender whatever the company has set: for a message that carries a token or tells of the
   * account's security. Whoever runs the company's mail server reads all that leaves through it.
   */
  sender?: 'installation'
}

/** Sent once the caller's transaction is committed. Sealed on the way: a message may hold a link that opens an account. */
export const sendMail = (tx: Db, secrets: Secrets, mail: Omit<Mail, 'id'>, { companyId, id, sender }: Options = {}) => {
  const sealed = secrets.seal(JSON.stringify(mail), MAIL_PLACE)
  return enqueue(
    tx,
    'mail.send',
    { sealed, ...(companyId && { companyId }), ...(sender && { sender }) },
    id ? { id } : {},
  )
}

/** A message as it waits, or does not, in the queue; undefined where it cannot be opened here. */
export function openMail(secrets: Secrets, data: unknown): Pick<Mail, 'to' | 'subject'> | undefined {
  const sealed = typeof data === 'object' && data !== null && 'sealed' in data ? String(data.sealed) : ''
  try {
    const { to, subject }: Mail = JSON.parse(secrets.open(sealed, MAIL_PLACE))
    return { to, subject }
  } catch {
    return undefined
  }
}
