import { can } from '@voisol/contract/permissions'
import type { WhiteLabelDraft } from '@voisol/contract/white-label'
import type { z } from 'zod'
import { brandUrl, mailBrand } from '../../../core/mail-brand.ts'
import { publicHome } from '../../../core/public-url.ts'
import type { Db } from '../../../db/client.ts'
import type { Deps } from '../../../deps.ts'
import type { Actor } from '../../../http/actor.ts'
import { AppError } from '../../../http/errors.ts'
import { lastInvoice } from '../../money/invoices/invoices.ts'
import { getCompany } from '../../people/companies/companies.ts'
import { mailLayout } from '../../people/mail/mail.ts'
import { storedLabel } from './white-label.ts'

type Draft = z.output<typeof WhiteLabelDraft>

/** What is kept, under what is being tried. */
async function tried(db: Db, companyId: number, draft: Draft) {
  const { config } = await storedLabel(db, companyId)
  return { ...config, ...Object.fromEntries(Object.entries(draft).filter(([, value]) => value !== undefined)) }
}

/** The last invoice of the company, drawn as if it were issued with this look. Nothing is kept. */
export async function previewInvoice(
  deps: Pick<Deps, 'db' | 'compute'>,
  actor: Actor,
  companyId: number,
  draft: Draft,
) {
  await getCompany(deps.db, actor, companyId)
  if (!can(actor, 'invoices.read'))
    throw new AppError('conflict', {
      message: 'Votre rôle ne lit pas les factures\u00a0: cet aperçu ne vous est pas montré.',
    })
  const { primaryColor } = await tried(deps.db, companyId, draft)
  const invoice = await lastInvoice(deps.db, companyId)
  if (!invoice)
    throw new AppError('conflict', {
      message: 'Aucune facture n’est encore émise\u00a0: l’aperçu viendra avec la première.',
    })
  const snapshot = { ...invoice.snapshot, look: primaryColor ? { colour: primaryColor } : undefined }
  const content = await deps.compute('invoices.paper', { snapshot, xml: null }, { companyId })
  return { name: 'apercu.pdf', content }
}

/** The layout of every message, with the words of an invitation: the only one that every company sends. */
export async function previewMail(deps: Pick<Deps, 'db' | 'config'>, actor: Actor, companyId: number, draft: Draft) {
  const company = await getCompany(deps.db, actor, companyId)
  const brand = mailBrand(company, await tried(deps.db, companyId, draft), publicHome(deps.config))
  const title = `Rejoindre ${brand.name}`
  const content = mailLayout({
    title,
    paragraphs: [
      `Vous êtes invité à rejoindre l’espace «\u00a0${brand.name}\u00a0».`,
      'Vous y verrez votre électricité locale, vos factures et les messages de votre organisation.',
    ],
    action: { label: 'Accepter l’invitation', url: brandUrl(deps.config, brand, '/login') },
    footer: 'Ceci est un aperçu\u00a0: aucun message n’est envoyé.',
    brand,
  })
  return { subject: title, ...content }
}
