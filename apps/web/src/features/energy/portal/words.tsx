import { cardClass } from '../../../ui/card.tsx'
import { cx } from '../../../ui/cx.ts'
import { GLOSSARY } from './glossary.ts'
import { PortalPage } from './page.tsx'

const sortedTerms = GLOSSARY.toSorted((a, b) => a.term.localeCompare(b.term, 'fr'))

/** What the words of the portal mean, for somebody who meets them for the first time. */
export default function PortalGlossary() {
  return (
    <PortalPage title="Les mots expliqués" description="Ce que veulent dire les mots de votre espace.">
      <dl className={cx(cardClass, 'divide-y divide-line px-5 sm:px-6')}>
        {sortedTerms.map(({ term, meaning }) => (
          <div key={term} className="grid gap-x-6 gap-y-1 py-4 sm:grid-cols-[14rem_minmax(0,1fr)]">
            <dt className="font-semibold">{term}</dt>
            <dd>{meaning}</dd>
          </div>
        ))}
      </dl>
    </PortalPage>
  )
}
