import { buildFrenchVatNumber } from '@voisol/contract/party-numbers'
import type { SellerCandidate } from '@voisol/contract/sellers'
import { addDays } from '@voisol/energy/calendar'
import { type Db, transaction } from '../../../db/client.ts'
import type { Deps } from '../../../deps.ts'
import type { Actor } from '../../../http/actor.ts'
import { buildMandatePdf } from '../../../pdf/mandate.ts'
import { generateSiren } from '../../../world/numbers.ts'
import { buildRunningOperations } from '../../../world/plan.ts'
import type { DemoScale } from '../../../world/scale.ts'
import {
  addBillingMandate,
  addSeller,
  addVat,
  listSellerCandidates,
  loadSellers,
  saveOperationTerms,
  saveSellerBank,
  saveSignedMandate,
} from '../../money/parties/parties.ts'
import { fillBuyers } from './fill-buyers.ts'
import { buildDemoIban } from './iban.ts'

const SIGNED_BEFORE = 20
const SUPPLIER_PRICE = 1573
const SURPLUS_PRICE = 536

/**
 * Three VAT positions: a co-ownership under the small-business exemption, a private person out of scope, and companies
 * subject to VAT.
 */
function chooseVat({ name, siren, participantId }: SellerCandidate) {
  if (!siren) return { mode: 'outside', rate: 0 } as const
  return participantId !== null && /copropri/i.test(name)
    ? ({ mode: 'exempt', rate: 0 } as const)
    : ({ mode: 'standard', rate: 2000 } as const)
}

type FillContext = { deps: Deps; tx: Db; actor: Actor; scale: DemoScale }

async function createSellerWithTerms(
  { deps, tx, actor, scale: { startsOn } }: FillContext,
  candidate: SellerCandidate,
  by: string,
) {
  const { operations, ...known } = candidate
  const vat = chooseVat(candidate)
  const vatNumber = vat.mode === 'standard' ? buildFrenchVatNumber(candidate.siren) : ''
  const fees = candidate.participantId === null ? [] : [{ kind: 'percentNet' as const, bp: 350 }]
  const more = { legalForm: '', siret: '', country: 'FR', managementFees: fees, managementFeeRate: 2000 }
  const { id, address, postalCode, city } = await addSeller(tx, actor, { ...known, vatNumber, ...more })
  await addVat(tx, actor, id, { startsOn, ...vat })
  await saveSellerBank(tx, deps.secrets, actor, id, {
    iban: buildDemoIban(candidate.name),
    bic: 'AGRIFRPP',
    version: 1,
  })
  if (candidate.participantId === null) return id
  const signedOn = addDays(startsOn, -SIGNED_BEFORE)
  const { mandates } = await addBillingMandate(tx, actor, id, { startsOn, endsOn: null, signedOn, collects: true })
  const seller = { name: candidate.name, siren: candidate.siren, address: `${address}, ${postalCode} ${city}` }
  const content = await buildMandatePdf({ seller, by, operations, startsOn, signedOn })
  const name = `mandat-${candidate.prefix.replace(/\W+$/, '').toLowerCase()}.pdf`
  await saveSignedMandate(tx, deps.files, actor, mandates[0]?.id ?? '', { name, content })
  return id
}

const ORGANISER = {
  siren: generateSiren('toits partages'),
  address: '12 rue des Tilleuls',
  postalCode: '69007',
  city: 'Lyon',
}

/** Creates the sellers and buyers in one transaction. Idempotent. */
export const fillParties = (deps: Deps, actor: Actor, scale: DemoScale) =>
  transaction(deps.db, async (tx) => {
    const { companyId } = actor
    if ((await loadSellers(tx, companyId)).length) return
    const work = { deps, tx, actor, scale }
    const candidates = await listSellerCandidates(tx, actor)
    const organiser = candidates.find(({ participantId }) => participantId === null)
    if (!organiser) return
    for (const candidate of candidates.filter((one) => one !== organiser))
      await createSellerWithTerms(work, candidate, organiser.name)
    const organiserId = await createSellerWithTerms(work, { ...organiser, ...ORGANISER }, organiser.name)
    const terms = { patrimonial: false, organiserId, supplierPrice: SUPPLIER_PRICE, surplusPrice: SURPLUS_PRICE }
    for (const { values } of buildRunningOperations(scale))
      await saveOperationTerms(tx, actor, values.id, { ...terms, monthsPerInvoice: 1, version: 0 })
    await fillBuyers(tx, actor)
  })
