import type { ContentPage } from '@voisol/contract/content'
import { PERSON_FIELDS } from '../forms/field-checks.ts'
import { SiteForm } from '../forms/site-form.tsx'
import { createArticlePage } from './article-page.tsx'

const REQUEST_FIELDS = [
  ...PERSON_FIELDS,
  {
    name: 'newsletter',
    label: 'Recevoir aussi la lettre mensuelle de l’énergie partagée',
    type: 'checkbox',
    optional: true,
  } as const,
]

/** The text is read here by everybody; the form is for those who want the file. */
const WhitePaperRequest = ({ slug }: ContentPage) => (
  <section aria-labelledby="pdf" className="mb-12 rounded-card border border-line bg-page p-6 sm:p-8">
    <h2 id="pdf" className="text-xl font-semibold">
      Recevoir le livre blanc en PDF
    </h2>
    <p className="mt-2 mb-6 text-ink-soft">
      Le texte est en lecture libre ci-dessous. Pour le faire circuler, recevez-le par e-mail, mis en page.
    </p>
    <SiteForm
      path={`/api/white-papers/${slug}/request`}
      fields={REQUEST_FIELDS}
      action="Recevoir le PDF"
      after={({ url }) => (
        <p className="mt-2">
          <a href={String(url)} download className="text-link">
            Télécharger le livre blanc
          </a>
        </p>
      )}
    />
  </section>
)

export default createArticlePage({
  trail: [
    { label: 'Ressources', href: '/resources' },
    { label: 'Livres blancs', href: '/white-papers' },
  ],
  related: 'Autres livres blancs',
  aside: (page) => <WhitePaperRequest {...page} />,
})
