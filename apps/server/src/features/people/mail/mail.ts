import type { Mail } from '../../../adapters/mail/mail.ts'
import type { Db } from '../../../db/client.ts'
import { enqueue } from '../../../jobs/queue.ts'
import type { Secrets } from '../../../secrets.ts'

export { buildBrandUrl, loadMailBrand, loadMailBrandOfUser } from '../../../core/mail-brand.ts'
export { buildPublicUrl } from '../../../core/public-url.ts'
export { MAIL_IMAGE_WIDTH, renderMail } from './layout.ts'
export { buildMailImageParts, inlineAttachments, type MailImage } from './picture.ts'
export { formatGreeting, formatVisitorFooter } from './visitor.ts'

export const MAIL_SEAL_CONTEXT = 'mail'

type SendMailOptions = {
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
export const sendMail = (
  tx: Db,
  secrets: Secrets,
  mail: Omit<Mail, 'id'>,
  { companyId, id, sender }: SendMailOptions = {},
) => {
  const sealed = secrets.seal(JSON.stringify(mail), MAIL_SEAL_CONTEXT)
  return enqueue(
    tx,
    'mail.send',
    { sealed, ...(companyId && { companyId }), ...(sender && { sender }) },
    id ? { id } : {},
  )
}

/** A message as it waits, or does not, in the queue; undefined where it cannot be opened here. */
export function unsealMail(secrets: Secrets, data: unknown): Pick<Mail, 'to' | 'subject'> | undefined {
  const sealed = typeof data === 'object' && data !== null && 'sealed' in data ? String(data.sealed) : ''
  try {
    const { to, subject }: Mail = JSON.parse(secrets.open(sealed, MAIL_SEAL_CONTEXT))
    return { to, subject }
  } catch {
    return undefined
  }
}
