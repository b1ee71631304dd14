;;; zrf-mode.el --- Rules files of Zillions of Games  -*- lexical-binding: t; -*-

;; Package-Requires: ((emacs "29.1"))

;;; Commentary:

;; (load "…/zrf-mode.el") in the init file; `M-x eglot' in a rules file starts the language server.

;;; Code:

(require 'lisp-mode)

(defvar zrf-mode-syntax-table
  (let ((table (make-syntax-table lisp-data-mode-syntax-table)))
    (dolist (sign '(?' ?` ?, ?# ?| ?\\ ?? ?! ?$ ?/ ?* ?. ?:))
      (modify-syntax-entry sign "_" table))
    table))

(defvar zrf-font-lock-keywords
  '(("(\\s-*\\(define\\)\\s-+\\([^] ()\";\n]+\\)" (1 font-lock-keyword-face) (2 font-lock-function-name-face))
    ("\\$[0-9]+" . font-lock-variable-name-face)
    ("\\_<\\(true\\|false\\|forced\\|repeat\\|else\\|off\\)\\_>" . font-lock-constant-face)
    ("\\_<[a-z-]+\\?" . font-lock-builtin-face)
    ("(\\s-*\\([a-z][a-z-]*\\)\\_>" 1 font-lock-keyword-face)))

;;;###autoload
(define-derived-mode zrf-mode prog-mode "ZRF"
  "Rules of board games."
  (setq-local comment-start "; "
              comment-start-skip ";+\\s-*"
              indent-line-function #'lisp-indent-line
              lisp-indent-function (lambda (&rest _) nil)
              lisp-indent-offset 2
              indent-tabs-mode nil
              fill-column 100
              font-lock-defaults '(zrf-font-lock-keywords)))

;;;###autoload
(add-to-list 'auto-mode-alist '("\\.\\(zrf\\|inc\\)\\'" . zrf-mode))

(with-eval-after-load 'eglot
  (add-to-list 'eglot-server-programs '(zrf-mode . ("zrf" "lsp"))))

(provide 'zrf-mode)
;;; zrf-mode.el ends here
