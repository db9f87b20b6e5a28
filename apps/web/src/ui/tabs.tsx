import { Content, List, Root, Trigger } from 'radix-ui/tabs'
import type { ReactNode } from 'react'

export type Tab = { value: string; label: ReactNode; content: ReactNode }

const tabClass =
  '-mb-px min-h-11 shrink-0 border-b-2 border-transparent px-1 text-body font-medium text-ink-soft transition-colors duration-150 hover:text-ink data-[state=active]:border-primary data-[state=active]:text-ink focus-visible:-outline-offset-2'

type TabsProps = { label: string; tabs: Tab[]; value?: string; onChange?: (value: string) => void }

/** Arrow keys move between tabs; on a narrow screen the row scrolls. */
export const Tabs = ({ label, tabs, value, onChange }: TabsProps) => (
  <Root value={value} defaultValue={value ?? tabs[0]?.value} onValueChange={onChange}>
    <List aria-label={label} className="flex gap-6 overflow-x-auto overflow-y-hidden border-b border-line">
      {tabs.map((tab) => (
        <Trigger key={tab.value} value={tab.value} className={tabClass}>
          {tab.label}
        </Trigger>
      ))}
    </List>
    {tabs.map((tab) => (
      <Content key={tab.value} value={tab.value} className="pt-6">
        {tab.content}
      </Content>
    ))}
  </Root>
)
