import type { ContentPage } from '@voisol/contract/content'
import type { LegalNotice } from '@voisol/contract/legal'
import { cx } from '../../ui/cx.ts'
import { buildLegalParts } from './legal-lines.ts'
import { createArticlePage } from './reading.tsx'

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
