import type { LegalNotice } from '@voisol/contract/legal'

const NBSP = '\u00a0'
const formatSiren = (siren: string) => siren.replace(/(\d{3})(?=\d)/g, `$1${NBSP}`)
const formatLabelled = (label: string, value: string) => (value ? `${label}${NBSP}: ${value}` : '')

/** The publisher in one line, as a letterhead says it: « Soleil des Pentes, SCIC au capital de 37 450 € ». */
function formatPublisher({ publisher, legalForm, capital }: LegalNotice) {
  const form = [legalForm, capital && `au capital de ${capital}`].filter(Boolean).join(' ')
  return [publisher, form].filter(Boolean).join(', ')
}

const formatRegistration = ({ siren, registry }: LegalNotice) =>
  [registry, siren && (registry ? formatSiren(siren) : `SIREN ${formatSiren(siren)}`)].filter(Boolean).join(' ')

/** What the page says, part by part; a part about which nothing was said is not there. */
export function buildLegalParts(notice: LegalNotice): { title: string; lines: string[] }[] {
  const { vatNumber, address, email, phone, director, hostName, hostAddress, hostPhone } = notice
  const parts = [
    {
      title: 'Éditeur',
      lines: [
        formatPublisher(notice),
        formatRegistration(notice),
        formatLabelled('TVA intracommunautaire', vatNumber),
        formatLabelled('Siège', address),
        formatLabelled('Téléphone', phone),
        formatLabelled('Adresse électronique', email),
      ],
    },
    { title: 'Publication', lines: [formatLabelled('Directeur ou directrice de la publication', director)] },
    { title: 'Hébergement', lines: [hostName, hostAddress, formatLabelled('Téléphone', hostPhone)] },
    {
      title: 'Protection des données',
      lines: [notice.hasOfficer ? formatLabelled('Délégué à la protection des données', notice.officer) : ''],
    },
    {
      title: 'Médiation de la consommation',
      lines: [notice.sellsToConsumers ? formatLabelled('Médiateur', notice.mediator) : ''],
    },
  ]
  return parts
    .map(({ title, lines }) => ({ title, lines: lines.filter((line) => line !== '') }))
    .filter(({ lines }) => lines.length > 0)
}
