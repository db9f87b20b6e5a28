import type { ExportField, ExportProfile, SavedProfile } from '@voisol/contract/book-settings'

const toColumns = (...pairs: [ExportField, string][]) => pairs.map(([field, header]) => ({ field, header }))
const FRENCH_FORMAT = {
  separator: ';',
  header: true,
  decimal: ',',
  dates: 'dd/mm/yyyy',
  encoding: 'utf-8',
  extension: 'csv',
} as const

const buildProfile = (id: string, name: string, own: ExportProfile): SavedProfile => ({
  id,
  name,
  builtIn: true,
  profile: own,
  version: 1,
})

/** The publicly known import formats of common accounting programs; a company can save other profiles. */
export const BUILT_IN_PROFILES: SavedProfile[] = [
  buildProfile('generic', 'Tableau générique (CSV)', {
    ...FRENCH_FORMAT,
    columns: toColumns(
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
  buildProfile('sage', 'Sage', {
    ...FRENCH_FORMAT,
    header: false,
    dates: 'ddmmyy',
    encoding: 'iso-8859-15',
    extension: 'txt',
    columns: toColumns(
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
  buildProfile('ebp', 'EBP', {
    ...FRENCH_FORMAT,
    header: false,
    separator: ',',
    decimal: '.',
    dates: 'ddmmyy',
    encoding: 'iso-8859-15',
    extension: 'txt',
    columns: toColumns(
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
  buildProfile('cegid', 'Cegid, Quadra', {
    ...FRENCH_FORMAT,
    header: false,
    encoding: 'iso-8859-15',
    extension: 'txt',
    columns: toColumns(
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
  buildProfile('pennylane', 'Pennylane', {
    ...FRENCH_FORMAT,
    columns: toColumns(
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
