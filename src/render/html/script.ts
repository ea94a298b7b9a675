/**
 * Runs in the reader's browser; the page is whole without it. No storage, no network, and text is only ever set as
 * text, so that nothing in the evidence can become markup.
 */
export const SCRIPT = `(function () {
  'use strict';
  var root = document.documentElement;
  root.classList.add('js');

  function each(selector, run, within) {
    Array.prototype.forEach.call((within || document).querySelectorAll(selector), run);
  }

  function switchTheme() {
    var dark = root.dataset.theme ? root.dataset.theme === 'dark' : matchMedia('(prefers-color-scheme: dark)').matches;
    root.dataset.theme = dark ? 'light' : 'dark';
  }

  function selectText(node) {
    var range = document.createRange();
    range.selectNodeContents(node);
    var selection = getSelection();
    selection.removeAllRanges();
    selection.addRange(range);
  }

  function copy(button) {
    var code = button.parentNode.querySelector('code');
    function done(ok) {
      button.textContent = ok ? button.dataset.copied : button.dataset.selected;
      button.classList.toggle('done', ok);
      setTimeout(function () {
        button.textContent = button.dataset.copy;
        button.classList.remove('done');
      }, 1800);
    }
    function byHand() {
      selectText(code);
      done(false);
    }
    if (!navigator.clipboard) return byHand();
    navigator.clipboard.writeText(code.textContent).then(function () { done(true); }, byHand);
  }

  function chooseFamily(fix, family) {
    each('[data-choose]', function (button) {
      button.setAttribute('aria-pressed', String(button.dataset.choose === family));
    }, fix);
    each('.variant', function (variant) {
      variant.hidden = variant.dataset.family !== '' && variant.dataset.family !== family;
    }, fix);
    each('.step', function (step) {
      step.hidden = step.querySelector('.variant') !== null && step.querySelector('.variant:not([hidden])') === null;
    }, fix);
  }

  function reveal(id) {
    var target = document.getElementById(id);
    for (var node = target; node; node = node.parentElement) if (node.tagName === 'DETAILS') node.open = true;
    var inside = target && target.querySelector(':scope > details.folded');
    if (inside) inside.open = true;
    return target;
  }

  function targetOf(link) {
    try {
      return decodeURIComponent(link.getAttribute('href').slice(1));
    } catch (error) {
      return '';
    }
  }

  function showTip(mark) {
    var tip = document.getElementById('tip');
    tip.textContent = '';
    [['b', mark.dataset.tip], ['span', mark.dataset.when], ['span', mark.dataset.about]].forEach(function (part) {
      var line = document.createElement(part[0]);
      line.textContent = part[1];
      tip.appendChild(line);
    });
    tip.hidden = false;
    var box = mark.getBoundingClientRect();
    var left = Math.min(innerWidth - tip.offsetWidth - 8, Math.max(8, box.left + box.width / 2 - tip.offsetWidth / 2));
    var above = box.top - tip.offsetHeight - 8;
    tip.style.left = left + 'px';
    tip.style.top = (above > 8 ? above : box.bottom + 8) + 'px';
  }

  function hideTip() {
    document.getElementById('tip').hidden = true;
  }

  function light(link, on) {
    var line = document.getElementById(targetOf(link));
    if (line) line.classList.toggle('lit', on);
  }

  function walk(step) {
    var claims = Array.prototype.filter.call(document.querySelectorAll('.claim'), function (one) {
      return one.offsetParent !== null;
    });
    if (claims.length === 0) return;
    var now = document.activeElement ? claims.indexOf(document.activeElement.closest('.claim')) : -1;
    var next = claims[Math.min(claims.length - 1, Math.max(0, now + step))];
    next.focus({ preventScroll: true });
    next.scrollIntoView({ block: 'center' });
  }

  function onKey(event) {
    if (event.key === 'Escape') return hideTip();
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.key === 'j') walk(1);
    if (event.key === 'k') walk(-1);
    if (event.key === 'e' && document.activeElement) {
      var within = document.activeElement.closest('.claim');
      var link = within && within.querySelector('.cite');
      if (link) link.click();
    }
  }

  function onClick(event) {
    var button = event.target.closest('button');
    if (button && button.hasAttribute('data-copy')) copy(button);
    if (button && button.hasAttribute('data-theme-toggle')) switchTheme();
    if (button && button.dataset.choose !== undefined) chooseFamily(button.closest('[data-fix]'), button.dataset.choose);
    if (button && button.hasAttribute('data-wrap')) {
      button.setAttribute('aria-pressed', String(button.closest('.panel').classList.toggle('wrapped')));
    }
    var link = event.target.closest('a[href^="#"]');
    var target = link && reveal(targetOf(link));
    if (target && target.closest('.panel') && !link.closest('.panel')) stayHere();
  }

  /** The panel scrolls to the line; the page has no reason to move with it. */
  function stayHere() {
    if (getComputedStyle(document.querySelector('.panel')).overflowY !== 'auto') return;
    var top = scrollY;
    requestAnimationFrame(function () { scrollTo({ top: top, behavior: 'instant' }); });
  }

  function prepare() {
    each('[data-close]', function (details) { details.open = false; });
    each('.mark', function (mark) {
      each('title', function (title) { title.remove(); }, mark);
      mark.addEventListener('mouseenter', function () { showTip(mark); });
      mark.addEventListener('focus', function () { showTip(mark); });
      mark.addEventListener('mouseleave', hideTip);
      mark.addEventListener('blur', hideTip);
    });
    each('.cite', function (link) {
      ['mouseenter', 'focus'].forEach(function (name) { link.addEventListener(name, function () { light(link, true); }); });
      ['mouseleave', 'blur'].forEach(function (name) { link.addEventListener(name, function () { light(link, false); }); });
    });
    each('[data-fix]', function (fix) {
      var chosen = fix.querySelector('[data-choose][aria-pressed=true]');
      if (chosen) chooseFamily(fix, chosen.dataset.choose);
    });
    document.addEventListener('click', onClick);
    document.addEventListener('keydown', onKey);
    addEventListener('scroll', hideTip, { passive: true });
    var target = location.hash.length > 1 && reveal(targetOf({ getAttribute: function () { return location.hash; } }));
    if (target) target.scrollIntoView();
  }

  var folded = [];
  addEventListener('beforeprint', function () {
    each('details:not([open])', function (details) {
      folded.push(details);
      details.open = true;
    });
  });
  addEventListener('afterprint', function () {
    folded.splice(0).forEach(function (details) { details.open = false; });
  });
  document.addEventListener('DOMContentLoaded', prepare);
})();
`;
