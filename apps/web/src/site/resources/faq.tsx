import type { ContentCard } from '@voisol/contract/content'
import ChevronDown from 'lucide-react/icons/chevron-down'
import { useEffect, useId, useState } from 'react'
import { useLoaderData, useLocation } from 'react-router'
import { Input } from '../../components/input.tsx'
import { Prose } from '../../components/prose/prose.tsx'
import { formatCount } from '../../lib/format.ts'
import { BookingButton } from '../booking/booking-button.tsx'
import { SharedRoof } from '../illustrations/small-scenes.tsx'
import { ContentListHeader, ContentListNotice } from './content-blocks.tsx'
import type { ContentListData } from './content-list.tsx'

const FAQ_GROUPS = [
  { category: 'comprendre', title: 'Comprendre' },
  { category: 'participer', title: 'Participer' },
  { category: 'argent', title: 'L’argent' },
  { category: 'donnees', title: 'Les données' },
  { category: 'plateforme', title: 'La plateforme' },
]

const normalizeText = (text: string) => text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase()

/** Every word searched for is in the question or in its short answer. */
export const matchesSearch = ({ title, summary }: Pick<ContentCard, 'title' | 'summary'>, search: string) => {
  const text = normalizeText(`${title} ${summary}`)
  return normalizeText(search)
    .split(/\s+/)
    .every((word) => text.includes(word))
}

const Question = ({ question, open }: { question: ContentCard; open: boolean }) => (
  <details id={question.slug} open={open || undefined} className="group scroll-mt-24">
    <summary className="flex min-h-16 list-none items-center justify-between gap-6 py-4 text-lg font-medium [&::-webkit-details-marker]:hidden">
      {question.title}
      <ChevronDown
        aria-hidden="true"
        className="size-5 shrink-0 text-ink-soft transition-transform duration-150 group-open:rotate-180"
      />
    </summary>
    <div className="prose-width pb-6">
      <Prose blocks={question.body ?? []} />
    </div>
  </details>
)

/** Opens the question that the address names. */
function useQuestionFromHash() {
  const { hash } = useLocation()
  const [named, setNamed] = useState('')
  useEffect(() => setNamed(decodeURIComponent(hash.slice(1))), [hash])
  return named
}

function QuestionList({ items }: { items: ContentCard[] }) {
  const [search, setSearch] = useState('')
  const id = useId()
  const named = useQuestionFromHash()
  const found = items.filter((item) => matchesSearch(item, search))
  return (
    <>
      <div className="mb-10 max-w-xl">
        <label htmlFor={id} className="mb-1.5 block font-medium">
          Chercher une question
        </label>
        <Input id={id} type="search" value={search} onChange={(event) => setSearch(event.target.value)} />
        <p role="status" className="mt-2 min-h-6 text-[0.9375rem] text-ink-soft">
          {search && `${formatCount(found.length, 'question')} ${found.length < 2 ? 'trouvée' : 'trouvées'}`}
        </p>
      </div>
      {FAQ_GROUPS.map(({ category, title }) => {
        const group = found.filter((item) => item.category === category)
        if (group.length === 0) return null
        return (
          <section key={category} className="mb-14 grid gap-x-16 gap-y-4 lg:grid-cols-[1fr_3fr]">
            <h2 className="text-2xl font-semibold">{title}</h2>
            <div className="divide-y divide-line border-y border-line">
              {group.map((item) => (
                <Question key={item.slug} question={item} open={item.slug === named} />
              ))}
            </div>
          </section>
        )
      })}
    </>
  )
}

export default function FaqPage() {
  const data = useLoaderData<ContentListData | undefined>()
  return (
    <>
      <ContentListHeader
        eyebrow="Questions fréquentes"
        illustration={SharedRoof}
        title="Ce que l’on nous demande le plus"
        lead="Le partage de l’énergie, la part de chacun, l’argent, les données et la plateforme&nbsp;: des réponses courtes, avec leurs sources quand il y en a."
      >
        <div className="mt-8">
          <BookingButton label="Poser ma question en démo" variant="secondary" />
        </div>
      </ContentListHeader>
      <div className="mx-auto max-w-[1248px] px-4 py-14 sm:px-6 lg:py-20">
        {data?.items.length ? (
          <QuestionList items={data.items} />
        ) : (
          <ContentListNotice known={Boolean(data)} empty="Aucune question n’est publiée pour le moment." />
        )}
      </div>
    </>
  )
}
