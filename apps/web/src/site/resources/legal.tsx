import type { ContentPage } from '@voisol/contract/content'
import { createArticlePage } from './reading.tsx'
import { RetentionTable } from './retention-table.tsx'

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
