import type { ExportField, ExportProfile, SavedProfile } from '@voisol/contract/book-settings'

const columns = (...pairs: [ExportField, string][]) => pairs.map(([field, header]) => ({ field, header }))
const FRENCH = {
  separator: ';',
  header: true,
  decimal: ',',
  dates: 'dd/mm/yyyy',
  encoding: 'utf-8',
  extension: 'csv',
} as const

const profile = (id: string, name: string, own: ExportProfile): SavedProfile => ({
  id,
  name,
  builtIn: true,
  profile: own,
  version: 1,
})

/** What is publicly known of the tables that common programs read; one who needs another keeps a profile of its own. */
export const BUILT_IN: SavedProfile[] = [
  profile('generic', 'Tableau générique (CSV)', {
    ...FRENCH,
    columns: columns(
      ['journalCode', 'Journal'],
      ['number', 'Numéro'],
      ['day', 'Date'],
      ['account', 'Compte'],
      ['accountLabel', 'Libellé du compte'],
      ['aux', 'Auxiliaire'],
      ['auxLabel', 'Tiers'],
      ['pieceRef', 'Pièce'],
      ['pieceDay', 'Date de la pièce'],
      ['label', 'Libellé'],
      ['debit', 'Débit'],
      ['credit', 'Crédit'],
      ['letter', 'Lettrage'],
    ),
  }),
  profile('sage', 'Sage', {
    ...FRENCH,
    header: false,
    dates: 'ddmmyy',
    encoding: 'iso-8859-15',
    extension: 'txt',
    columns: columns(
      ['journalCode', 'Code journal'],
      ['day', 'Date'],
      ['account', 'Compte général'],
      ['aux', 'Compte tiers'],
      ['pieceRef', 'Pièce'],
      ['label', 'Libellé'],
      ['debit', 'Débit'],
      ['credit', 'Crédit'],
    ),
  }),
  profile('ebp', 'EBP', {
    ...FRENCH,
    header: false,
    separator: ',',
    decimal: '.',
    dates: 'ddmmyy',
    encoding: 'iso-8859-15',
    extension: 'txt',
    columns: columns(
      ['number', 'Mouvement'],
      ['day', 'Date'],
      ['journalCode', 'Journal'],
      ['accountOrAux', 'Compte'],
      ['blank', 'Libellé automatique'],
      ['label', 'Libellé manuel'],
      ['pieceRef', 'Pièce'],
      ['amount', 'Montant'],
      ['side', 'Sens'],
      ['pieceDay', 'Échéance'],
      ['currency', 'Devise'],
    ),
  }),
  profile('cegid', 'Cegid, Quadra', {
    ...FRENCH,
    header: false,
    encoding: 'iso-8859-15',
    extension: 'txt',
    columns: columns(
      ['day', 'Date'],
      ['journalCode', 'Journal'],
      ['account', 'Compte général'],
      ['aux', 'Compte auxiliaire'],
      ['side', 'Sens'],
      ['amount', 'Montant'],
      ['label', 'Libellé'],
      ['pieceRef', 'Référence'],
    ),
  }),
  profile('pennylane', 'Pennylane', {
    ...FRENCH,
    columns: columns(
      ['day', 'Date'],
      ['journalCode', 'Code journal'],
      ['accountOrAux', 'Numéro de compte'],
      ['accountLabel', 'Libellé de compte'],
      ['pieceRef', 'Numéro de pièce'],
      ['label', 'Libellé'],
      ['debit', 'Débit'],
      ['credit', 'Crédit'],
    ),
  }),
]
