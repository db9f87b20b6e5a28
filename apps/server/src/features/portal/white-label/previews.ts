import { hasPermission } from '@voisol/contract/permissions'
import type { WhiteLabelDraft } from '@voisol/contract/white-label'
import type { z } from 'zod'
import { buildBrandUrl, buildMailBrand } from '../../../core/mail-brand.ts'
import { getPublicBaseUrl } from '../../../core/public-links.ts'
import type { Db } from '../../../db/client.ts'
import type { Deps } from '../../../deps.ts'
import type { Actor } from '../../../http/actor.ts'
import { AppError } from '../../../http/errors.ts'
import { findLastInvoice } from '../../billing/invoices/index.ts'
import { loadCompany } from '../../identity/companies/index.ts'
import { renderMail } from '../../identity/mail/index.ts'
import { loadStoredWhiteLabel } from './white-label.ts'

type WhiteLabelDraftInput = z.output<typeof WhiteLabelDraft>

/** What is kept, under what is being tried. */
async function loadMergedDraft(db: Db, companyId: number, draft: WhiteLabelDraftInput) {
  const { config } = await loadStoredWhiteLabel(db, companyId)
  return { ...config, ...Object.fromEntries(Object.entries(draft).filter(([, value]) => value !== undefined)) }
}

/** The last invoice of the company, drawn as if it were issued with this look. Nothing is kept. */
export async function previewInvoice(
  deps: Pick<Deps, 'db' | 'compute'>,
  actor: Actor,
  companyId: number,
  draft: WhiteLabelDraftInput,
) {
  await loadCompany(deps.db, actor, companyId)
  if (!hasPermission(actor, 'invoices.read'))
    throw new AppError('conflict', {
      message: 'Votre rôle ne lit pas les factures\u00a0: cet aperçu ne vous est pas montré.',
    })
  const { primaryColor } = await loadMergedDraft(deps.db, companyId, draft)
  const invoice = await findLastInvoice(deps.db, companyId)
  if (!invoice)
    throw new AppError('conflict', {
      message: 'Aucune facture n’est encore émise\u00a0: l’aperçu viendra avec la première.',
    })
  const snapshot = { ...invoice.snapshot, look: primaryColor ? { colour: primaryColor } : undefined }
  const content = await deps.compute('invoices.paper', { snapshot, xml: null }, { companyId })
  return { name: 'apercu.pdf', content }
}

/** The layout of every message, with the words of an invitation: the only one that every company sends. */
export async function previewMail(
  deps: Pick<Deps, 'db' | 'config'>,
  actor: Actor,
  companyId: number,
  draft: WhiteLabelDraftInput,
) {
  const company = await loadCompany(deps.db, actor, companyId)
  const brand = buildMailBrand(company, await loadMergedDraft(deps.db, companyId, draft), getPublicBaseUrl(deps.config))
  const title = `Rejoindre ${brand.name}`
  const content = renderMail({
    title,
    paragraphs: [
      `Vous êtes invité à rejoindre l’espace «\u00a0${brand.name}\u00a0».`,
      'Vous y verrez votre électricité locale, vos factures et les messages de votre organisation.',
    ],
    action: { label: 'Accepter l’invitation', url: buildBrandUrl(deps.config, brand, '/login') },
    footer: 'Ceci est un aperçu\u00a0: aucun message n’est envoyé.',
    brand,
  })
  return { subject: title, ...content }
}
