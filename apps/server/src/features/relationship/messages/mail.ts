import type { Config } from '../../../config.ts'
import type { Db } from '../../../db/client.ts'
import { buildBrandUrl, loadMailBrand, renderMail } from '../../people/mail/mail.ts'

type MessageMailInput = { subject: string; body: string; hasAccount: boolean; reminder?: boolean; leave?: string }

/** The mail copy of a message, with the branding of the company. */
export async function buildMessageMail(db: Db, config: Config, companyId: number, words: MessageMailInput) {
  const { subject, body, hasAccount, reminder, leave } = words
  const brand = await loadMailBrand(db, config, companyId)
  const layout = renderMail({
    title: subject,
    paragraphs: [
      ...(reminder ? ['Ce message vous attend dans votre espace, où vous ne l’avez pas encore ouvert.'] : []),
      ...body.split(/\n{2,}/),
    ],
    ...(hasAccount && {
      action: {
        label: 'Lire et répondre dans mon espace',
        url: buildBrandUrl(config, brand, '/client-portal/messages'),
      },
    }),
    footer: hasAccount
      ? 'Vous recevez ce message parce que vous prenez part à une opération. Vos préférences de notification règlent sa copie par e-mail.'
      : 'Vous recevez ce message parce que vous prenez part à une opération d’autoconsommation collective.',
    leave,
    brand,
  })
  return { subject: reminder ? `Rappel\u00a0: ${subject}` : subject, ...layout }
}
