import type { ContentPage } from '@voisol/contract/content'
import type { LegalNotice } from '@voisol/contract/legal'
import { cx } from '../../components/cx.ts'
import { createArticlePage } from './article-page.tsx'

type NoticePage = ContentPage & { notice: LegalNotice; missing: string[] }

const LegalPart = ({ title, lines }: { title: string; lines: string[] }) => (
  <div>
    <h2 className="text-lg font-semibold text-ink">{title}</h2>
    {lines.map((line) => (
      <p key={line} className="mt-1 whitespace-pre-line">
        {line}
      </p>
    ))}
  </div>
)

/** What was said and nothing else; what the law asks for and nobody has said yet is named as missing. */
function LegalNoticeText({ notice, missing }: Pick<NoticePage, 'notice' | 'missing'>) {
  const parts = buildLegalParts(notice)
  return (
    <section aria-label="Éditeur et hébergeur" className="mb-12 grid gap-6 text-ink-soft">
      {parts.map((part) => (
        <LegalPart key={part.title} {...part} />
      ))}
      {missing.length > 0 && (
        <p className={cx('rounded-card border border-warning/30 bg-warning-soft p-5', parts.length > 0 && 'mt-2')}>
          L’exploitant de ce site n’a pas encore renseigné{'\u00a0'}: {missing.join(', ')}.
        </p>
      )}
    </section>
  )
}

export default createArticlePage({
  trail: [{ label: 'Accueil', href: '/' }],
  related: 'Autres textes',
  aside: (page) => <LegalNoticeText {...(page as NoticePage)} />, // the answer of the address in this page's row
})

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
