import type { ContactRequest } from '@voisol/contract/requests'
import { record } from '../../../core/events.ts'
import { fieldError } from '../../../http/errors.ts'
import { oneLine, plainText } from '../../../plain-text.ts'
import { today } from '../../../today.ts'
import { greeting, mailLayout, sendMail, visitorFooter } from '../../people/mail/mail.ts'
import { keepRequest, personOf, type RequestRow } from './keep.ts'
import { countVisit, isScript, noteRequest, type Visit } from './visitor.ts'

const ANSWER = {
  success: true as const,
  message: 'Votre message est bien arrivé. L’équipe vous répondra par e-mail.',
}

export async function contact(ctx: Visit, input: ContactRequest) {
  await countVisit(ctx, input.email)
  if (await isScript(ctx, input.website)) return ANSWER
  const { row, isNew } = await keep(ctx, input)
  noteRequest(ctx, row)
  if (isNew) {
    await thank(ctx, row)
    await record(ctx.db, { companyId: row.companyId, name: 'request.received', object: row.id, data: { id: row.id } })
  }
  return ANSWER
}

function keep({ db }: Visit, input: ContactRequest) {
  const message = plainText(input.message)
  if (message.length < 10) throw fieldError('message', 'Quelques mots de plus\u00a0: dix caractères au moins.')
  const { subject } = input
  const values = { kind: 'contact' as const, ...personOf(input), phone: oneLine(input.phone), subject, message }
  // The same words on another day are a reminder, not a form sent twice.
  return keepRequest(db, values, [today(), subject, message])
}

/** Nothing of what was typed goes out again: the address may be anybody's. */
const thank = ({ db, secrets, config }: Visit, row: RequestRow) =>
  sendMail(db, secrets, {
    to: row.email,
    replyTo: config.SUPPORT_EMAIL,
    subject: 'Votre message est bien arrivé',
    ...mailLayout({
      title: 'Votre message est bien arrivé',
      paragraphs: [
        greeting(row.firstName),
        'Merci de nous avoir écrit. Une personne de l’équipe lira votre message et vous répondra par e-mail.',
        'Si vous n’avez rien envoyé, quelqu’un a saisi votre adresse par erreur\u00a0: ignorez ce message.',
      ],
      footer: visitorFooter(config),
    }),
  })
