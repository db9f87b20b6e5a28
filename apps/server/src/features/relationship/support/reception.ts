import { type MailReceiver, openMailReceiver } from '../../../adapters/mail-in/mail-in.ts'
import type { Deps } from '../../../deps.ts'
import { receiveMail } from './inbound.ts'
import { parseReplyAddress } from './reply-address.ts'

/** Listens for answers to the mails of the support, where the installation is told to. */
export function startSupportMailServer(deps: Deps): Promise<MailReceiver> | undefined {
  const { SUPPORT_MAIL_HOST: mailHost, SUPPORT_SMTP_PORT: port, SUPPORT_SMTP_HOST: host } = deps.config
  if (!mailHost || port === undefined) return undefined
  return openMailReceiver({
    host,
    port,
    knows: (address) => parseReplyAddress(deps.secrets, mailHost, address) !== undefined,
    take: (arrived) => receiveMail(deps, arrived),
    failed: (err) => deps.log.error({ err }, 'a mail could not be received'),
  })
}
