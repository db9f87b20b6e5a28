import { toSignableText } from '../../../core/signature.ts'
import type { Db } from '../../../db/client.ts'
import { AppError } from '../../../http/errors.ts'
import { getToday } from '../../../today.ts'
import { loadBuyers, loadCreditorsOn, loadSellerIdsOfCreditor, loadSellers } from '../../billing/parties/index.ts'
import { loadSettingsOn } from '../../billing/settings/index.ts'

export type MandateCreditor = { id: string; name: string; ics: string; prefix: string; place: string }

/** Sellers to whom a mandate can be given: those with a bank account that has an ICS. */
export async function loadMandateCreditors(db: Db, companyId: number): Promise<MandateCreditor[]> {
  const creditors = await loadCreditorsOn(db, companyId, getToday())
  return (await loadSellers(db, companyId)).flatMap(({ id, name, prefix, address, postalCode, city }) => {
    const creditor = creditors.get(id)
    const own = creditor?.id === id && creditor.ics
    const place = [address, `${postalCode} ${city}`].map((part) => part.trim()).filter(Boolean)
    return own ? [{ id, name, prefix, ics: own, place: place.join(', ') }] : []
  })
}

export async function requireMandateCreditor(db: Db, companyId: number, id: string): Promise<MandateCreditor> {
  const seller = (await loadSellers(db, companyId)).find((one) => one.id === id)
  if (!seller) throw new AppError('not-found')
  const found = (await loadMandateCreditors(db, companyId)).find((one) => one.id === id)
  const other = (await loadCreditorsOn(db, companyId, getToday())).get(id)
  if (!found && other)
    throw new AppError('conflict', {
      message: `${other.name} encaisse pour ${seller.name}\u00a0: le mandat se donne à ${other.name}.`,
    })
  if (!found)
    throw new AppError('conflict', {
      message: `${seller.name} n’a pas de compte bancaire avec un identifiant créancier (ICS)\u00a0: enregistrez-le dans «\u00a0Comptes bancaires\u00a0» avant de demander un mandat.`,
    })
  return found
}

/** The text to sign: the wording required by the SEPA rulebook, with the parties' names. */
export async function loadMandateText(db: Db, companyId: number, creditorId: string, participantId: string) {
  const creditor = await requireMandateCreditor(db, companyId, creditorId)
  const debtor = (await loadBuyers(db, companyId, [participantId])).get(participantId)
  if (!debtor) throw new AppError('not-found')
  const collects = (await loadSellerIdsOfCreditor(db, companyId, creditorId, getToday())).some(
    (id) => id !== creditorId,
  )
  const notice = (await loadSettingsOn(db, companyId, getToday()))['debit.noticeDays'].value
  const text = [
    'Mandat de prélèvement SEPA CORE, paiement récurrent.',
    `Créancier\u00a0: ${creditor.name}${creditor.place && `, ${creditor.place}`}. Identifiant créancier SEPA (ICS)\u00a0: ${creditor.ics}.`,
    `Débiteur\u00a0: ${debtor.name}${debtor.address && `, ${debtor.address}, ${debtor.postalCode} ${debtor.city}`}.`,
    `En signant ce mandat, vous autorisez ${creditor.name} à envoyer des instructions à votre banque pour débiter votre compte, et votre banque à débiter votre compte conformément à ces instructions.`,
    ...(collects
      ? [
          `${creditor.name} encaisse aussi au nom et pour le compte des producteurs qui l’en ont chargé, et le leur reverse.`,
        ]
      : []),
    'Vous bénéficiez du droit d’être remboursé par votre banque selon les conditions de la convention que vous avez passée avec elle. Une demande de remboursement est présentée dans les huit semaines qui suivent le débit de votre compte, ou dans les treize mois s’il n’était pas autorisé.',
    `Chaque prélèvement vous est annoncé au moins ${notice} jours avant, avec son montant et son jour. La référence unique du mandat (RUM) vous est donnée à la signature. Vous pouvez révoquer ce mandat à tout moment.`,
  ].join('\n\n')
  return toSignableText(text)
}
