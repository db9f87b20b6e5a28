// Shows what the portal kept on this device, and how old it is. Texts are set as texts: nothing kept is ever run.
const kept = () => {
  try {
    if (!localStorage.getItem('token') || localStorage.getItem('force_logout') === 'true') return null
    const found = JSON.parse(localStorage.getItem('voisol_last_figures') ?? 'null')
    return found && typeof found.sentence === 'string' && Array.isArray(found.lines) ? found : null
  } catch {
    return null
  }
}

const put = (parent, name, text, className) => {
  const element = document.createElement(name)
  element.textContent = String(text)
  if (className) element.className = className
  parent.append(element)
  return element
}

const when = new Intl.DateTimeFormat('fr-FR', { dateStyle: 'full', timeStyle: 'short' })

const show = ({ at, name, sentence, note, lines }) => {
  document.querySelector('#age').textContent =
    `${name ? `${name}, voici` : 'Voici'} vos derniers chiffres, gardés sur cet appareil le ${when.format(new Date(at))}.`
  const place = document.querySelector('#figures')
  put(place, 'p', sentence, 'hero')
  if (lines.length) {
    const list = put(place, 'dl', '')
    for (const line of lines) {
      const pair = put(list, 'div', '')
      put(pair, 'dt', line.label)
      put(pair, 'dd', line.figure)
    }
  }
  if (note) put(place, 'p', note)
}

const found = kept()
if (found) show(found)
const again = () => location.reload()
document.querySelector('#again').addEventListener('click', again)

// A device says it is back before anything answers it, and says so once: asked again, ever less often, until one does.
let wait = 2000
let timer
const ask = async () => {
  clearTimeout(timer)
  const answer = await fetch('/portal-worker.js', { method: 'HEAD', cache: 'no-store' }).catch(() => null)
  if (answer?.ok) return again()
  timer = setTimeout(ask, wait)
  wait = Math.min(2 * wait, 60_000)
}
timer = setTimeout(ask, wait)
addEventListener('online', ask)
