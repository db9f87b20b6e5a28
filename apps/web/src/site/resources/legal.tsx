import type { ContentPage } from '@voisol/contract/content'
import { FIXED_RETENTION, formatMonths, RETENTION_RULES } from '@voisol/contract/retention-kinds'
import { createArticlePage } from './article-page.tsx'

const LEGAL_DOCUMENTS = [
  { label: 'Accord de sous-traitance (PDF)', href: '/api/legal-documents/accord-de-sous-traitance' },
  { label: 'Sous-traitants ultérieurs (PDF)', href: '/api/legal-documents/sous-traitants' },
]

/** For whoever entrusts data to the operator of this installation. */
const LegalDocumentLinks = ({ slug }: Pick<ContentPage, 'slug'>) =>
  slug === 'rgpd' ? (
    <aside aria-label="Documents" className="mb-10 rounded-card border border-line bg-page p-6">
      <p className="font-semibold">Pour les organisations</p>
      <ul className="mt-3 grid gap-2">
        {LEGAL_DOCUMENTS.map(({ label, href }) => (
          <li key={href}>
            <a href={href} className="text-link">
              {label}
            </a>
          </li>
        ))}
      </ul>
    </aside>
  ) : null

export default createArticlePage({
  trail: [{ label: 'Accueil', href: '/' }],
  related: 'Autres textes',
  aside: ({ slug }) => (
    <>
      <LegalDocumentLinks slug={slug} />
      {slug === 'rgpd' && <RetentionTable />}
    </>
  ),
})

const retentionRows = [
  ...Object.values(RETENTION_RULES).map(({ label, months, least, most, since, law, remains }) => ({
    label,
    time: `${formatMonths(months)} après ${since} (réglable de ${formatMonths(least)} à ${formatMonths(most)})`,
    law,
    remains,
  })),
  ...FIXED_RETENTION.map((row) => ({ ...row, remains: '' })),
]

/** How long everything is kept: the same table as the settings of an organisation. */
const RetentionTable = () => (
  <section aria-labelledby="durees" className="mb-10">
    <h2 id="durees" className="text-xl font-semibold">
      Durées de conservation
    </h2>
    <p className="mt-2 text-ink-soft">
      L’organisateur de votre opération peut choisir une autre durée, dans ces bornes. Un passage, chaque nuit, efface
      ce qui l’a dépassée, une fois que l’organisateur a vu et accepté ce qui part.
    </p>
    <dl className="mt-4 grid divide-y divide-line rounded-card border border-line">
      {retentionRows.map(({ label, time, law, remains }) => (
        <div key={label} className="grid gap-x-6 gap-y-1 p-4 md:grid-cols-[minmax(0,2fr)_minmax(0,3fr)]">
          <dt className="font-medium">{label}</dt>
          <dd>
            {time}
            {remains && remains !== 'Rien.' && <span className="block">Ensuite&nbsp;: {remains}</span>}
            <span className="block text-sm text-ink-soft">{law}</span>
          </dd>
        </div>
      ))}
    </dl>
  </section>
)
