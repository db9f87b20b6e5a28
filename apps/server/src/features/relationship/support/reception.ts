import { openReception, type Reception } from '../../../adapters/mail-in/mail-in.ts'
import type { Deps } from '../../../deps.ts'
import { receiveMail } from './inbound.ts'
import { readReplyAddress } from './reply-address.ts'

/** Listens for answers to the mails of the support, where the installation is told to. */
export function openSupportMail(deps: Deps): Promise<Reception> | undefined {
  const { SUPPORT_MAIL_HOST: mailHost, SUPPORT_SMTP_PORT: port, SUPPORT_SMTP_HOST: host } = deps.config
  if (!mailHost || port === undefined) return undefined
  return openReception({
    host,
    port,
    knows: (address) => readReplyAddress(deps.secrets, mailHost, address) !== undefined,
    take: (arrived) => receiveMail(deps, arrived),
    failed: (err) => deps.log.error({ err }, 'a mail could not be received'),
  })
}
