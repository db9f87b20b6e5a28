import type { ContentPage } from '@voisol/contract/content'
import { useSyncExternalStore } from 'react'
import { PERSON_FIELDS } from '../forms/field-checks.ts'
import { SiteForm } from '../forms/site-form.tsx'
import { createArticlePage } from './article-page.tsx'
import { formatDayAndHour } from './content-blocks.tsx'

const subscribeToNothing = () => () => {}

/** Whether it has begun. The page was drawn at another moment: the browser first says what was drawn, then what is so. */
function useIsOver(startsAt: ContentPage['startsAt']): boolean {
  const isOver = () => !startsAt || new Date(startsAt) < new Date()
  const getServerValue = () =>
    typeof document === 'undefined' ? isOver() : document.getElementById('register')?.dataset.over === 'true'
  return useSyncExternalStore(subscribeToNothing, isOver, getServerValue)
}

function WebinarRegistration({ slug, startsAt, speaker }: ContentPage) {
  const over = useIsOver(startsAt)
  return (
    <section aria-labelledby="register" className="mb-12 rounded-card border border-line bg-page p-6 sm:p-8">
      <h2 id="register" data-over={over} className="text-xl font-semibold">
        {over ? 'Ce webinaire a eu lieu' : 'S’inscrire'}
      </h2>
      <p className="mt-2 mb-6 text-ink-soft">
        {startsAt && (
          <span className="inline-block first-letter:uppercase">{formatDayAndHour(startsAt)}, heure de Paris.</span>
        )}{' '}
        {speaker && `Avec ${speaker}.`}
      </p>
      {!over && (
        <SiteForm
          path={`/api/webinars/${slug}/register`}
          fields={PERSON_FIELDS}
          action="M’inscrire"
          note="Le lien de connexion et l’invitation d’agenda vous sont envoyés par e-mail."
        />
      )}
    </section>
  )
}

export default createArticlePage({
  trail: [
    { label: 'Ressources', href: '/resources' },
    { label: 'Webinaires', href: '/resources/webinaires' },
  ],
  related: 'Autres webinaires',
  aside: (page) => <WebinarRegistration {...page} />,
})
