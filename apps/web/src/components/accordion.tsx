import ChevronDown from 'lucide-react/icons/chevron-down'
import { Content, Header, Item, Root, Trigger } from 'radix-ui/accordion'
import type { ReactNode } from 'react'

type AccordionEntry = { id: string; title: ReactNode; content: ReactNode }

/** Questions and answers; several may be open. */
export const Accordion = ({ entries }: { entries: AccordionEntry[] }) => (
  <Root type="multiple" className="divide-y divide-line border-y border-line">
    {entries.map((entry) => (
      <Item key={entry.id} value={entry.id}>
        <Header className="tracking-normal">
          <Trigger className="group flex min-h-12 w-full items-center justify-between gap-4 py-3 text-left text-body font-medium hover:text-primary-ink">
            {entry.title}
            <ChevronDown
              aria-hidden="true"
              className="size-4 text-ink-soft transition-transform duration-150 group-data-[state=open]:rotate-180"
            />
          </Trigger>
        </Header>
        <Content className="animate-appear">
          <div className="prose-width pb-4 text-body text-ink-soft">{entry.content}</div>
        </Content>
      </Item>
    ))}
  </Root>
)
