/** Instructions of a Dockerfile in their order; a line that ends with a backslash goes on. */
function readInstructions(text) {
  return text
    .replaceAll(/^\s*#.*\n/gm, '')
    .replaceAll(/\\\n/g, ' ')
    .split('\n')
    .filter((line) => line.trim())
    .map((line) => {
      const [, name, rest] = /^\s*(\S+)\s+(.*)$/.exec(line) ?? []
      if (!name) throw new Error(`Dockerfile: ${line}`)
      return { name: name.toUpperCase(), text: rest.trim() }
    })
}

/** The stages of a Dockerfile: what each begins from, its name, and its instructions. */
export function parseDockerfile(text) {
  const stages = []
  for (const instruction of readInstructions(text)) {
    if (instruction.name !== 'FROM') {
      stages.at(-1).instructions.push(instruction)
      continue
    }
    const [image, as, name] = instruction.text.split(/\s+/)
    stages.push({ image, name: as ? name : undefined, instructions: [] })
  }
  return stages
}

/** $NAME and ${NAME} as the builder writes them; what is not set is empty. */
export const substitute = (text, values) =>
  text.replaceAll(/\$(?:\{(\w+)\}|(\w+))/g, (_, braced, plain) => values[braced ?? plain] ?? '')

/** NAME=value pairs of an ENV instruction. */
export const parsePairs = (text) =>
  Object.fromEntries(
    [...text.matchAll(/(\w+)=("[^"]*"|\S*)/g)].map(([, name, value]) => [name, value.replaceAll('"', '')]),
  )

/** --from=… and --chown=… of a COPY instruction, what is copied and where. */
export function parseCopy(text) {
  const words = text.split(/\s+/)
  const flags = Object.fromEntries(
    words.filter((word) => word.startsWith('--')).map((word) => word.slice(2).split('=')),
  )
  const paths = words.filter((word) => !word.startsWith('--'))
  return { flags, sources: paths.slice(0, -1), target: paths.at(-1) }
}

const toExpression = (pattern) =>
  new RegExp(
    `^${pattern
      .replaceAll(/[.+^${}()|[\]\\]/g, '\\$&')
      .replaceAll('**/', '\0')
      .replaceAll('*', '[^/]*')
      .replaceAll('\0', '(?:.*/)?')}(?:/.*)?$`,
  )

/** Whether a path is left out of the build context by the patterns of a .dockerignore, of which the last that fits decides. */
export function parseIgnore(text) {
  const rules = text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line && !line.startsWith('#'))
    .map((line) => ({ keeps: line.startsWith('!'), expression: toExpression(line.replace(/^!/, '')) }))
  return (path) => rules.findLast(({ expression }) => expression.test(path))?.keeps === false
}
