import type { Deps } from '../../deps.ts'
import { loadSequenceHeads } from '../../features/money/invoices/invoices.ts'
import { formatCount } from '../../french.ts'
import { createFaultFinding, createOkFinding, type DoctorFinding } from './finding.ts'

const CHECK = 'invoices'

/** Only the last document of each sequence: `voisol audit verify` checks them all. */
export async function checkInvoices({ db, secrets }: Pick<Deps, 'db' | 'secrets'>): Promise<DoctorFinding[]> {
  const heads = await loadSequenceHeads(db, secrets)
  const unsigned = heads.filter(({ signedBy }) => signedBy < 0)
  if (!unsigned.length)
    return [
      createOkFinding(CHECK, `Factures émises\u00a0: ${formatCount(heads.length, 'série signée', 'séries signées')}`),
    ]
  const names = unsigned.map(({ series }) => `${series.prefix}${series.year} (organisation ${series.companyId})`)
  return [
    createFaultFinding(
      CHECK,
      `Factures émises\u00a0: la dernière facture ${names.length > 1 ? 'des séries' : 'de la série'} ${names.join(', ')} ne porte aucune signature valide`,
      'Si le serveur vient d’être mis à jour, il la signe à son premier démarrage. Sinon lancez «\u00a0voisol audit verify\u00a0».',
    ),
  ]
}
