import type { ContentPage } from '@voisol/contract/content'
import type { Block, Inline } from '@voisol/contract/prose'
import type { ReactNode } from 'react'
import { useLoaderData } from 'react-router'
import { Prose } from '../../components/prose/prose.tsx'
import { SiteNotFound } from '../not-found.tsx'
import { BreadcrumbTrail, buildContentFacts, ContentCards, ContentFacts } from './content-blocks.tsx'

type Crumb = { label: string; href: string }

const toPlainInlineText = (parts: Inline[]): string =>
  parts
    .map((part) => ('text' in part ? part.text : 'children' in part ? toPlainInlineText(part.children) : ' '))
    .join('')

/** The parts of a long text, beside it. */
function ReadingContents({ body }: { body: Block[] }) {
  const parts = body.filter((block) => block.kind === 'heading').filter(({ level }) => level === 2)
  if (parts.length < 3) return null
  return (
    <nav aria-label="Dans cette page" className="sticky top-24 hidden self-start lg:block">
      <p className="mb-3 text-[0.875rem] font-medium text-ink">Dans cette page</p>
      <ul className="grid gap-2 border-l border-line pl-4 text-[0.9375rem]">
        {parts.map((part) => (
          <li key={part.id}>
            <a href={`#${part.id}`} className="text-ink-soft hover:text-ink hover:underline">
              {toPlainInlineText(part.children)}
            </a>
          </li>
        ))}
      </ul>
    </nav>
  )
}

type ArticlePageProps = { trail: Crumb[]; related: string; aside?: (page: ContentPage) => ReactNode }

const ArticleView = ({ page, trail, related, aside }: ArticlePageProps & { page: ContentPage }) => (
  <>
    <article>
      <header className="bg-page">
        <div className="mx-auto max-w-[1248px] px-4 py-14 sm:px-6 lg:py-20">
          <BreadcrumbTrail crumbs={trail} />
          <h1 className="max-w-4xl text-4xl font-semibold leading-[1.1] text-balance outline-none sm:text-5xl">
            {page.title}
          </h1>
          <p className="prose-width mt-5 mb-6 text-lg leading-relaxed text-ink-soft sm:text-xl">{page.summary}</p>
          <ContentFacts facts={[...(page.author ? [page.author] : []), ...buildContentFacts(page)]} />
        </div>
      </header>
      <div className="mx-auto grid max-w-[1248px] gap-16 px-4 py-14 sm:px-6 lg:grid-cols-[minmax(0,46rem)_16rem] lg:justify-between lg:py-20">
        <div className="min-w-0">
          {page.image && (
            <img src={page.image.src} alt={page.image.alt} className="mb-10 w-full rounded-card border border-line" />
          )}
          {aside?.(page)}
          <Prose blocks={page.body} />
        </div>
        <ReadingContents body={page.body} />
      </div>
    </article>
    {page.related.length > 0 && (
      <section aria-labelledby="related" className="border-t border-line">
        <div className="mx-auto max-w-[1248px] px-4 py-14 sm:px-6 lg:py-20">
          <h2 id="related" className="mb-8 text-2xl font-semibold">
            {related}
          </h2>
          <ContentCards cards={page.related} level={3} />
        </div>
      </section>
    )}
  </>
)

/** A content read on a page of its own; an unknown one is not found. */
export const createArticlePage = (props: ArticlePageProps) =>
  function Reading() {
    const page = useLoaderData<ContentPage | null | undefined>()
    return page ? <ArticleView page={page} {...props} /> : <SiteNotFound />
  }
