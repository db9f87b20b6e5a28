import type { ContactRequest } from '@voisol/contract/requests'
import { recordEvent } from '../../../core/events.ts'
import { fieldError } from '../../../http/errors.ts'
import { normalizePlainText, toSingleLine } from '../../../plain-text.ts'
import { getToday } from '../../../today.ts'
import { formatGreeting, formatVisitorFooter, renderMail, sendMail } from '../../people/mail/mail.ts'
import { cleanPerson, type RequestRow, storeRequest } from './keep.ts'
import { isBotSubmission, noteRequest, throttleForm, type VisitorContext } from './visitor.ts'

const CONTACT_RECEIVED = {
  success: true as const,
  message: 'Votre message est bien arrivé. L’équipe vous répondra par e-mail.',
}

export async function submitContactForm(ctx: VisitorContext, input: ContactRequest) {
  await throttleForm(ctx, input.email)
  if (await isBotSubmission(ctx, input.website)) return CONTACT_RECEIVED
  const { row, isNew } = await storeContactRequest(ctx, input)
  noteRequest(ctx, row)
  if (isNew) {
    await sendThanksMail(ctx, row)
    await recordEvent(ctx.db, {
      companyId: row.companyId,
      name: 'request.received',
      object: row.id,
      data: { id: row.id },
    })
  }
  return CONTACT_RECEIVED
}

function storeContactRequest({ db }: VisitorContext, input: ContactRequest) {
  const message = normalizePlainText(input.message)
  if (message.length < 10) throw fieldError('message', 'Quelques mots de plus\u00a0: dix caractères au moins.')
  const { subject } = input
  const values = { kind: 'contact' as const, ...cleanPerson(input), phone: toSingleLine(input.phone), subject, message }
  // The same words on another day are a reminder, not a form sent twice.
  return storeRequest(db, values, [getToday(), subject, message])
}

/** Nothing of what was typed goes out again: the address may be anybody's. */
const sendThanksMail = ({ db, secrets, config }: VisitorContext, row: RequestRow) =>
  sendMail(db, secrets, {
    to: row.email,
    replyTo: config.SUPPORT_EMAIL,
    subject: 'Votre message est bien arrivé',
    ...renderMail({
      title: 'Votre message est bien arrivé',
      paragraphs: [
        formatGreeting(row.firstName),
        'Merci de nous avoir écrit. Une personne de l’équipe lira votre message et vous répondra par e-mail.',
        'Si vous n’avez rien envoyé, quelqu’un a saisi votre adresse par erreur\u00a0: ignorez ce message.',
      ],
      footer: formatVisitorFooter(config),
    }),
  })
