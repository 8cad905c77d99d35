document.addEventListener('click', () => {}, true);
