import type { LegalNotice } from '@voisol/contract/legal'

const NBSP = '\u00a0'
const grouped = (siren: string) => siren.replace(/(\d{3})(?=\d)/g, `$1${NBSP}`)
const labelled = (label: string, value: string) => (value ? `${label}${NBSP}: ${value}` : '')

/** The publisher in one line, as a letterhead says it: « Soleil des Pentes, SCIC au capital de 37 450 € ». */
function identity({ publisher, legalForm, capital }: LegalNotice) {
  const form = [legalForm, capital && `au capital de ${capital}`].filter(Boolean).join(' ')
  return [publisher, form].filter(Boolean).join(', ')
}

const registration = ({ siren, registry }: LegalNotice) =>
  [registry, siren && (registry ? grouped(siren) : `SIREN ${grouped(siren)}`)].filter(Boolean).join(' ')

/** What the page says, part by part; a part about which nothing was said is not there. */
export function linesOf(notice: LegalNotice): { title: string; lines: string[] }[] {
  const { vatNumber, address, email, phone, director, hostName, hostAddress, hostPhone } = notice
  const parts = [
    {
      title: 'Éditeur',
      lines: [
        identity(notice),
        registration(notice),
        labelled('TVA intracommunautaire', vatNumber),
        labelled('Siège', address),
        labelled('Téléphone', phone),
        labelled('Adresse électronique', email),
      ],
    },
    { title: 'Publication', lines: [labelled('Directeur ou directrice de la publication', director)] },
    { title: 'Hébergement', lines: [hostName, hostAddress, labelled('Téléphone', hostPhone)] },
    {
      title: 'Protection des données',
      lines: [notice.hasOfficer ? labelled('Délégué à la protection des données', notice.officer) : ''],
    },
    {
      title: 'Médiation de la consommation',
      lines: [notice.sellsToConsumers ? labelled('Médiateur', notice.mediator) : ''],
    },
  ]
  return parts
    .map(({ title, lines }) => ({ title, lines: lines.filter((line) => line !== '') }))
    .filter(({ lines }) => lines.length > 0)
}
