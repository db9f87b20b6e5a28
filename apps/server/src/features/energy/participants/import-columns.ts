import { fieldError } from '../../../http/errors.ts'
import { normalizeName } from './identity.ts'

/** The columns of a participant file: the label shown, then the accepted header titles, normalised. */
export const IMPORT_COLUMNS = {
  lastName: ['Nom', 'nom', 'nomdefamille', 'lastname'],
  firstName: ['Prénom', 'prenom', 'firstname'],
  name: [
    'Organisation',
    'organisation',
    'raisonsociale',
    'societe',
    'entreprise',
    'denomination',
    'structure',
    'nomaffiche',
  ],
  kind: ['Type', 'type', 'nature', 'typedeparticipant'],
  siren: ['SIREN', 'siren', 'numerosiren'],
  email: ['E-mail', 'email', 'mail', 'courriel', 'adresseemail', 'adressemail', 'adressecourriel'],
  phone: ['Téléphone', 'telephone', 'tel', 'mobile', 'portable', 'numerodetelephone'],
  address: ['Adresse', 'adresse', 'adressepostale', 'rue', 'voie'],
  postalCode: ['Code postal', 'codepostal', 'cp'],
  city: ['Ville', 'ville', 'commune', 'localite'],
  prm: [
    'PRM',
    'prm',
    'pdl',
    'prmpdl',
    'pdlprm',
    'numeroprm',
    'numerodeprm',
    'numeropdl',
    'numerodepdl',
    'pointdelivraison',
    'pointdereferencemesure',
  ],
  direction: ['Rôle', 'role', 'sens', 'profil', 'typedepoint'],
  segment: ['Segment', 'segment'],
  subscribedVa: ['Puissance souscrite (kVA)', 'puissancesouscritekva', 'puissancesouscrite', 'kva', 'pskva'],
  peakWatts: [
    'Puissance crête (kWc)',
    'puissancecretekwc',
    'puissancecrete',
    'kwc',
    'puissanceinstalleekwc',
    'puissanceinstallee',
  ],
  startsOn: ['Date d’entrée', 'datedentree', 'entree', 'entreele', 'debut', 'datededebut'],
  endsOn: ['Date de sortie', 'datedesortie', 'sortie', 'sortiele', 'fin', 'datedefin'],
  agreementSignedOn: ['Accord signé le', 'accordsignele', 'datedaccord', 'accorddeparticipation', 'datedelaccord'],
  label: ['Libellé du point', 'libelledupoint', 'libelle', 'nomdupoint'],
  pointAddress: ['Adresse du point', 'adressedupoint', 'adressedepoint', 'adressedupointdelivraison'],
  latitude: ['Latitude', 'latitude', 'lat'],
  longitude: ['Longitude', 'longitude', 'lon', 'lng'],
  azimuth: ['Orientation', 'orientation', 'azimut', 'azimuth'],
  tilt: ['Inclinaison', 'inclinaison', 'pente'],
  commissionedOn: ['Mise en service', 'miseenservice', 'datedemiseenservice'],
  notes: ['Notes', 'notes', 'remarques', 'commentaire', 'commentaires'],
} as const satisfies Record<string, readonly [string, ...string[]]>

export type ImportColumn = keyof typeof IMPORT_COLUMNS
export const IMPORT_COLUMN_NAMES = Object.keys(IMPORT_COLUMNS) as ImportColumn[] // keys of a typed literal
export const getColumnTitle = (column: ImportColumn) => IMPORT_COLUMNS[column][0]

const findColumn = (title: string) =>
  IMPORT_COLUMN_NAMES.find((name) => (IMPORT_COLUMNS[name].slice(1) as string[]).includes(normalizeName(title))) // the first is how it is shown

/** The position of each column; a file needs the PRM and a name. Unknown titles are ignored. */
export function parseHeader(cells: string[]): Map<ImportColumn, number> {
  const places = new Map<ImportColumn, number>()
  cells.forEach((title, at) => {
    const column = findColumn(title)
    if (!column) return
    if (places.has(column))
      throw fieldError(
        'file',
        `Deux colonnes s’appellent «\u00a0${getColumnTitle(column)}\u00a0»\u00a0: gardez-en une.`,
      )
    places.set(column, at)
  })
  const missing = [
    ...(places.has('prm') ? [] : ['PRM']),
    ...(places.has('lastName') || places.has('name') ? [] : ['Nom ou Organisation']),
  ]
  if (missing.length)
    throw fieldError(
      'file',
      `La première ligne doit nommer les colonnes, au moins PRM et Nom (ou Organisation). Il manque\u00a0: ${missing.join(', ')}. Le modèle montre les autres.`,
    )
  return places
}
